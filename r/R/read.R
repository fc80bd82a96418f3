# Reading records with their design, alone or in a study pack with what mining found.

ONE <- 2^32  # probabilities of a design are whole numbers out of it

read_pack <- function(folder) {
  if (!dir.exists(folder)) folder <- unpacked(folder)
  found <- function(name) {
    files <- list.files(file.path(folder, "rules"), paste0(name, "[.]csv$"), full.names = TRUE)
    stats::setNames(lapply(files, read_table), basename(files))
  }
  channels <- read_table(file.path(folder, "channels.csv"))
  least <- if (nrow(channels)) as.numeric(channels$least[1]) else Inf
  pack <- read_records(file.path(folder, "records.csv"), file.path(folder, "design.json"), least)
  c(pack, list(itemsets = found("itemsets"), rules = found("rules")))
}

read_records <- function(records, design, least = 0) {
  exact <- parse_json(paste(readLines(existing(design), encoding = "UTF-8", warn = FALSE), collapse = ""))
  if (is.null(exact$of)) {
    stop(design, ": this is not the exact form of a design, whose chances are whole numbers; files of a survey have it.",
         call. = FALSE)
  }
  items <- items_of(exact)
  table <- read_table(records)
  names(table) <- own_names(names(table), names(items))
  direct <- if (is.null(table$direct)) rep(FALSE, nrow(table)) else table$direct == "1"
  list(items = items, records = table, direct = direct, least = least)
}

read_table <- function(file) {
  made <- read.csv(existing(file), colClasses = "character", check.names = FALSE, na.strings = character(0),
                   encoding = "UTF-8")
  made[] <- lapply(made, without_apostrophes)
  stats::setNames(made, without_apostrophes(names(made)))
}

existing <- function(file) {
  if (!file.exists(file)) stop(file, ": there is no such file.", call. = FALSE)
  file
}

# Files call a disguised answer drugs_disguised; those of earlier versions have the name of its item.
own_names <- function(columns, items) {
  if (all(items %in% columns)) return(columns)
  taken <- "direct"
  for (item in items) {
    plain <- gsub("-", "_", item, fixed = TRUE)
    made <- paste0(substr(plain, 1, 22), "_disguised")
    count <- 1
    while (made %in% taken) {
      count <- count + 1
      made <- paste0(substr(plain, 1, 21 - nchar(count)), "_", count, "_disguised")
    }
    taken <- c(taken, made)
  }
  at <- match(columns, taken[-1])
  columns[!is.na(at)] <- items[at[!is.na(at)]]
  columns
}

unpacked <- function(file) {
  made <- tempfile("pack")
  utils::unzip(existing(file), exdir = made)
  dirname(list.files(made, "^design[.]json$", recursive = TRUE, full.names = TRUE)[1])
}

# An apostrophe keeps a spreadsheet from computing a text (docs/formats.md, CSV) and is no part of it.
without_apostrophes <- function(texts) {
  begins <- "[\"' ]*[=+@\uff1d\uff0b\uff0d\uff20-]"
  start <- "\\A(?!'*[+-]?[0-9]+([.][0-9]+)?\\z)'"
  safe <- paste0("(?<=[;\t\r\n])'(?=", begins, ")|", start, "(?=", begins, "|'*[\t\r\n])")
  own <- grepl("'", texts, fixed = TRUE)
  texts[own] <- gsub(safe, "", texts[own], perl = TRUE)
  texts
}

parse_json <- function(text) {
  words <- regmatches(text, gregexpr("\"(\\\\.|[^\"\\\\])*\"|[][{}:,]|[^][{}:,\"[:space:]]+", text))[[1]]
  at <- 0
  value <- function() {
    at <<- at + 1
    word <- words[at]
    if (word %in% c("{", "[")) {
      made <- list()
      while (!words[at + 1] %in% c("}", "]")) {
        if (words[at + 1] == ",") at <<- at + 1
        if (word == "{") {
          name <- value()
          at <<- at + 1
          made[[name]] <- value()
        } else {
          made[[length(made) + 1]] <- value()
        }
      }
      at <<- at + 1
      return(made)
    }
    if (startsWith(word, "\"")) return(unescaped(substr(word, 2, nchar(word) - 1)))
    switch(word, "true" = TRUE, "false" = FALSE, "null" = NA, as.numeric(word))
  }
  value()
}

unescaped <- function(text) {
  for (code in unique(regmatches(text, gregexpr("\\\\u[0-9a-f]{4}", text))[[1]])) {
    text <- gsub(code, intToUtf8(strtoi(substr(code, 3, 6), 16)), text, fixed = TRUE)
  }
  gsub("\\\\(.)", "\\1", text)
}

# Every item with its block.
items_of <- function(design) {
  items <- list()
  for (place in seq_along(design$blocks)) {
    block <- design$blocks[[place]]
    for (item in block$items) {
      options <- if (is.null(item$options)) c("0", "1") else unlist(item$options)
      items[[item$id]] <- list(id = item$id, options = options, noise = noise_of(item, block), block = block, place = place)
    }
  }
  items
}

noise_of <- function(item, block) {
  if (!is.null(item$noise)) return(unlist(item$noise) / ONE)
  if (!is.null(item$harmless)) return(if (item$harmless == "0") c(0, 1) else c(1, 0))
  NULL
}
