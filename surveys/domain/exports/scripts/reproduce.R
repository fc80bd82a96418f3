# The shares of every disguised answer, with standard errors, from records.csv and channels.csv alone: base R suffices.
#
#   Rscript reproduce.R
#
# Other files: haven::read_sav("records.sav"), haven::read_dta("records.dta"), arrow::read_parquet("records.parquet").
# In all of them the column of a disguised answer is called drugs_disguised: its values are not the answers.

argument <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
folder <- if (length(argument)) dirname(normalizePath(argument)) else "."
if (!file.exists(file.path(folder, "channels.csv"))) folder <- file.path(folder, "..")
channels <- read.csv(file.path(folder, "channels.csv"), colClasses = "character", check.names = FALSE, encoding = "UTF-8")
records <- read.csv(file.path(folder, "records.csv"), colClasses = "character", check.names = FALSE, na.strings = character(0), encoding = "UTF-8")

average <- function(weights) c(mean(weights), (mean(weights^2) - mean(weights)^2) / length(weights))

for (column in setdiff(grep("_disguised$", names(records), value = TRUE), channels$column)) {
  cat(sprintf("%s: one column does not tell its figures; use candor reconstruct records.csv design.json\n", column))
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
