# The shares of every disguised answer, with standard errors, from records.csv and channels.csv alone: base R suffices.
#
#   Rscript reproduce.R
#
# A share is printed as it came out. Where one of a question is below 0, the report shows what can be true of all of them.
# Where each device sent one word, or a group of words, words.csv has the chances. A line then ends with its interval at
# 95 %: it allows for people with more to tell than the cap of the list. Of a word that hardly anybody sent the standard
# error is smaller than the report's.
#
# Other files: haven::read_sav("records.sav"), haven::read_dta("records.dta"), arrow::read_parquet("records.parquet").
# In all of them the column of a disguised answer is called drugs_disguised: its values are not the answers.

argument <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
folder <- if (length(argument)) dirname(normalizePath(argument)) else "."
if (!file.exists(file.path(folder, "channels.csv"))) folder <- file.path(folder, "..")
channels <- read.csv(file.path(folder, "channels.csv"), colClasses = "character", check.names = FALSE, encoding = "UTF-8")
listed <- file.path(folder, "words.csv")
words <- if (file.exists(listed)) read.csv(listed, colClasses = "character", check.names = FALSE, na.strings = character(0), encoding = "UTF-8") else data.frame(item = character(0))
# Of a list whose loss words measure what people above its cap lose, reproduce.py has the figures.
if (file.exists(listed)) words <- words[!(words$block %in% words$block[words$loss != ""]), , drop = FALSE]
records <- read.csv(file.path(folder, "records.csv"), colClasses = "character", check.names = FALSE, na.strings = character(0), encoding = "UTF-8")

average <- function(weights) c(mean(weights), (mean(weights^2) - mean(weights)^2) / length(weights))

# The interval of a share that may lie as far as an end: above it (side 1), below it (side -1), or not (0).
# doubt: a variance beside that of the sample.
interval <- function(share, parts, end, end_parts, line, side, doubt) {
  z <- qnorm(0.975)
  n <- length(parts)
  errors <- sqrt(c(sum(parts^2), sum(end_parts^2)) + doubt)
  if (is.null(line)) {
    own <- sum(parts^2)
    freedom <- max(own^2 / sum(parts^4) - 1, 1)  # Kish 1965
    # Of the variance the doubt is known, and takes none (Satterthwaite 1946).
    reach <- qt(0.975, freedom * ((own + doubt) / own)^2) * errors
    return(c(min(c(share, end) - reach), max(c(share, end) + reach)))
  }
  seen <- line[1] + line[2] * share
  half <- z * sqrt(seen * (1 - seen) / n + z^2 / (4 * n^2))  # Wilson 1927
  ends <- ((seen + z^2 / (2 * n) + c(-1, 1) * half) / (1 + z^2 / n) - line[1]) / line[2]
  more <- z^2 * max(errors[2]^2 - errors[1]^2, 0)
  if (side > 0) ends[2] <- max(ends[2], end + sqrt(more + (ends[2] - share)^2))
  if (side < 0) ends[1] <- min(ends[1], end - sqrt(more + (share - ends[1])^2))
  ends
}

for (item in setdiff(unique(words$item), "")) {
  own <- words[words$block == words$block[words$item == item][1], ]
  column <- own$column[own$item == item][1]
  cells <- intersect(names(own), grep("_disguised$", names(records), value = TRUE))
  cells <- cells[vapply(cells, function(cell) all(own[[cell]] != ""), TRUE)]
  base <- as.numeric(own$base)
  added <- as.numeric(own$own) - base
  key <- do.call(paste, c(unname(own[cells]), sep = "\n"))
  people <- records
  direct <- people$direct == "1"
  same <- max(0, table(people[[column]][direct]))
  # Too few to report, or all but two said the same: the figures are about the others.
  if (sum(direct) < as.numeric(own$least[1]) || sum(direct) - same < 3) people <- people[!direct, ]
  direct <- people$direct == "1"
  sent <- do.call(paste, c(unname(people[cells]), sep = "\n"))
  groups <- which(own$common != "" & !duplicated(key))
  common <- if (length(groups)) as.numeric(own$common[groups[1]]) else 0
  count <- function(rows) (sent %in% key[rows]) - sum(base[rows])
  weigh <- function(rows) (count(rows) - common * count(groups)) / sum(added[rows])
  bound <- which(own$spare != "")  # the loss of a share is at most spare * share, and what this row measures
  lost <- if (length(bound) && !is.na(added[bound])) count(bound) / added[bound] else rep(0, nrow(people))
  harmless <- own[[column]][nrow(own)]  # the last row shows nothing
  telling <- unique(own$value[own$item == item])
  for (value in c(telling, harmless)) {
    rest <- value == harmless
    rows <- lapply(if (rest) telling else value, function(one) which(own$item == item & own$value == one))
    said <- Reduce(`+`, lapply(rows, weigh))
    if (rest) said <- 1 - said
    said[direct] <- as.numeric(people[[column]][direct] == value)
    n <- length(said)
    share <- mean(said)
    parts <- (said - share) / n
    side <- if (!length(bound)) 0 else if (rest) -1 else 1
    end <- share
    end_parts <- parts
    if (side != 0) {
      spare <- as.numeric(own$spare[bound])
      end <- share + side * max(spare * (if (rest) 1 - share else share) + sum(lost[!direct]) / n, 0)
      end_parts <- parts + spare * parts + side * ifelse(direct, 0, lost - mean(lost[!direct])) / n
    }
    chance <- sum(added[rows[[1]]])
    less <- min(sum(base[unlist(rows)]), 1 - chance)
    line <- if (!any(direct) && common == 0) c(if (rest) 1 - less - chance else less, chance)
    doubt <- 0
    if (common > 0) {  # what groups have in common is 0 in the mean over words; so far it may be off, squared
      named <- max(mean(count(groups)[!direct]), 0) * common / chance * mean(!direct)
      doubt <- length(rows) * named^2 / (2 * (1 / common - 1)) * (n - 1) / n
    }
    ends <- interval(share, parts, end, end_parts, line, side, doubt)
    error <- sqrt(sum(parts^2) + doubt)
    cat(sprintf("%s=%s\t%.15g\t%.15g\tn = %d\t%.15g\t%.15g\n", item, value, share, error, n, ends[1], ends[2]))
  }
}
for (column in setdiff(grep("_disguised$", names(records), value = TRUE), c(channels$column, words$column))) {
  cat(sprintf("%s: one column does not tell its figures; use reproduce.py, or candor reconstruct records.csv design.json\n", column))
}
for (item in unique(channels$item)) {
  own <- channels[channels$item == item, ]
  values <- unique(own$recorded)
  # A row for each recorded value, a column for each true one, turned back into weights.
  back <- solve(matrix(as.numeric(own$probability), length(values), byrow = TRUE))
  recorded <- sub("^'([=+@-])", "\\1", records[[own$column[1]]])
  asked <- recorded != ""
  place <- match(recorded[asked], values)
  direct <- records$direct[asked] == "1"
  k <- mean(records$direct == "1")
  same <- max(tabulate(place[direct], length(values)))
  # Too few to report, or all but two said the same: the figures are about the others.
  if (sum(direct) < as.numeric(own$least[1]) || sum(direct) - same < 3) {
    place <- place[!direct]
    direct <- rep(FALSE, length(place))
    k <- 0
  }
  for (value in seq_along(values)) {
    result <- if (any(!direct)) average(back[value, place[!direct]]) else c(0, 0)
    if (k > 0) {
      truth <- average(as.numeric(place[direct] == value))
      spread <- k^2 * truth[2] + (1 - k)^2 * result[2] + k * (1 - k) * (truth[1] - result[1])^2 / nrow(records)
      result <- c(k * truth[1] + (1 - k) * result[1], spread)
    }
    cat(sprintf("%s=%s\t%.15g\t%.15g\tn = %d\n", item, values[value], result[1], sqrt(result[2]), length(place)))
  }
}
