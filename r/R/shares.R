# Shares and rules: each record weighs so that the mean of the weights is the share of true answers.

# All that a block may say whose channel is written below.
INVERTED <- c("keep", "by-gamma", "coin", "flips", "one-sided", "ask", "items")

# A channel over whether each answer matches its literal: rows are what is recorded, the first literal the highest bit.
channel_of <- function(items, matching) {
  block <- items[[1]]$block
  count <- length(items)
  states <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), count))[, count:1, drop = FALSE])
  chance <- mapply(function(item, own) if (is.null(item$noise)) NA else sum(item$noise[own]), items, matching)
  one_coin <- function(keep, noise) keep * diag(length(noise)) + (1 - keep) * matrix(noise, length(noise), length(noise))
  if (length(setdiff(names(block), INVERTED))) {
    stop("Words of a list, numbers, places and grouped answers need the command candor.")
  }
  if (!is.null(block$flips)) {
    flips <- unlist(block$flips) / ONE
    s <- length(flips) - 1
    turned <- vapply(0:count, function(e) sum(flips * choose(s - count, 0:s - e) / choose(s, 0:s)), 0)
    differ <- apply(states, 1, function(one) apply(states, 1, function(other) sum(one != other)))
    return(matrix(turned[differ + 1], nrow(states)))
  }
  if (!is.null(block[["by-gamma"]])) {
    if (!identical(as.numeric(block$ask), 1)) stop("Regressions on a coin by gamma that asks several need the command candor.")
    return(one_coin(keep_of(block, min(items[[1]]$noise)), c(1 - chance, chance)))  # nobody is asked two of its items
  }
  if (identical(block$coin, "each") || !is.null(block[["one-sided"]])) {
    keep <- if (is.null(block[["one-sided"]])) block$keep / ONE else 1 - block[["one-sided"]] / ONE
    return(Reduce(kronecker, lapply(chance, function(q) one_coin(keep, c(1 - q, q)))))
  }
  one_coin(block$keep / ONE, apply(states, 1, function(state) prod(ifelse(state, chance, 1 - chance))))
}

# A coin by gamma keeps answers the more rarely, the more rarely noise gives all that was asked.
keep_of <- function(block, rarest) {
  more <- (block[["by-gamma"]] / ONE - 1) * rarest
  more / (1 + more)
}

# What it keeps of each record.
keeps_of <- function(pack, block) {
  keep_of(block, Reduce(`*`, lapply(block$items, function(item) {
    ifelse(is.na(match(pack$records[[item$id]], unlist(item$options))), 1, min(unlist(item$noise)) / ONE)
  })))
}

# How much each record counts in a mean: under coins by gamma, by the square of what is kept.
counts_of <- function(pack, literals) {
  blocks <- unique(lapply(literals, function(one) one$item$block))
  counts <- Reduce(`*`, lapply(blocks, function(block) if (is.null(block[["by-gamma"]])) 1 else keeps_of(pack, block)^2), 1)
  ifelse(pack$direct, 1, counts)
}

literals_of <- function(pack, pattern) {
  lapply(strsplit(pattern, ",", fixed = TRUE)[[1]], function(word) {
    negated <- startsWith(word, "!")
    word <- sub("^!", "", word)
    id <- sub("=.*", "", word)
    item <- pack$items[[id]]
    if (is.null(item)) stop("The design has no item ", id, ".", call. = FALSE)
    if (is.null(pack$records[[id]])) stop("The records have no column ", id, ".", call. = FALSE)
    own <- item$options == (if (grepl("=", word, fixed = TRUE)) sub("^[^=]*=", "", word) else "1")
    list(item = item, matching = which(own != negated))
  })
}

# The weight of every record, NA where a literal was not asked; a direct answer weighs 1 or 0.
weights_of <- function(pack, literals) {
  places <- vapply(literals, function(one) one$item$place, 0)
  direct <- disguised <- rep(1, nrow(pack$records))
  for (place in unique(places)) {
    own <- literals[places == place]
    block <- own[[1]]$item$block
    state <- 0
    for (one in own) {
      code <- match(pack$records[[one$item$id]], one$item$options)
      state <- 2 * state + ifelse(is.na(code), NA, code %in% one$matching)
    }
    all <- state == 2^length(own) - 1
    if (is.null(block[["by-gamma"]])) {
      channel <- channel_of(lapply(own, `[[`, "item"), lapply(own, `[[`, "matching"))
      weight <- solve(t(channel), c(rep(0, nrow(channel) - 1), 1))[state + 1]
    } else {
      keep <- keeps_of(pack, block)
      weight <- (all - (1 - keep) * prod(vapply(own, function(one) sum(one$item$noise[one$matching]), 0))) / keep
    }
    disguised <- disguised * weight
    direct <- direct * all
  }
  ifelse(pack$direct, direct, disguised)
}

# Means of both groups, joined by their sizes, with the covariance of the joined means.
stratified <- function(weights, direct, counts = rep(1, length(direct))) {
  weights <- as.matrix(weights)
  n <- nrow(weights)
  asked <- stats::complete.cases(weights)
  k <- mean(direct)
  mean_of <- function(rows, group) {
    if (any(group)) colSums(counts[rows] * weights[rows, , drop = FALSE]) / sum(counts[rows]) else rep(0, ncol(weights))
  }
  spread <- function(rows, mean) {
    if (!any(rows)) return(0)
    crossprod(counts[rows] * sweep(weights[rows, , drop = FALSE], 2, mean)) / sum(counts[rows])^2
  }
  first <- mean_of(asked & direct, direct)
  second <- mean_of(asked & !direct, !direct)
  covariance <- k^2 * spread(asked & direct, first) + (1 - k)^2 * spread(asked & !direct, second) +
    k * (1 - k) * tcrossprod(first - second) / n
  list(n = sum(asked), mean = k * first + (1 - k) * second, covariance = covariance)
}

# Available cases: a product of literals of blocks that ask only some of their items comes from everybody asked these;
# centred at the share of the options that a literal names, the products of all its subsets add up to the pattern.
available <- function(pack, literals, sampled) {
  options <- vapply(literals[sampled], function(one) length(one$item$options), 0)
  centres <- lengths(lapply(literals[sampled], `[[`, "matching")) / options
  sets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), sum(sampled))))
  weights <- apply(sets, 1, function(own) weights_of(pack, literals[replace(!sampled, sampled, own)]))
  sum(apply(sets, 1, function(own) {
    parts <- apply(sets, 1, function(part) !any(part & !own))
    factors <- apply(sets[parts, , drop = FALSE], 1, function(part) prod(-centres[own & !part]))
    counts <- counts_of(pack, literals[replace(!sampled, sampled, own)])
    prod(centres[!own]) * stratified(weights[, parts, drop = FALSE] %*% factors, pack$direct, counts)$mean
  }))
}

MOST_SAMPLED <- 7 # literals: of more, candor takes those alone who were asked all of them

# The supports of patterns; their covariance is NA where one of them comes from available cases.
estimates <- function(pack, patterns) {
  literals <- lapply(patterns, literals_of, pack = pack)
  sampled <- lapply(literals, vapply, function(one) isTRUE(one$item$block$ask < length(one$item$block$items)), TRUE)
  weights <- vapply(literals, weights_of, numeric(nrow(pack$records)), pack = pack)
  made <- if (length(patterns) > 1) stratified(weights, pack$direct) else
    stratified(weights, pack$direct, counts_of(pack, literals[[1]]))
  parts <- which(lengths(literals) > 1 & vapply(sampled, sum, 0) %in% seq_len(MOST_SAMPLED))
  if (!length(parts)) return(made)
  made$mean <- vapply(seq_along(patterns), function(at) {
    stratified(weights[, at], pack$direct, counts_of(pack, literals[[at]]))$mean
  }, 0)
  made$mean[parts] <- vapply(parts, function(at) available(pack, literals[[at]], sampled[[at]]), 0)
  made$covariance[] <- NA
  made
}

without_direct <- function(pack) {
  pack$records <- pack$records[!pack$direct, , drop = FALSE]
  pack$direct <- pack$direct[!pack$direct]
  pack
}

# Too few answered directly, or all but two said the same: the report is about the others.
reported <- function(pack, id) {
  codes <- pack$records[[id]][pack$direct & pack$records[[id]] != ""]
  few <- length(codes) < pack$least || length(codes) - max(0, table(codes)) < 3
  if (few && any(pack$direct)) without_direct(pack) else pack
}

shares <- function(pack, patterns = NULL) {
  plain <- is.null(patterns)
  if (plain) {
    patterns <- unlist(lapply(pack$items, function(item) {
      if (identical(item$options, c("0", "1"))) item$id else paste0(item$id, "=", item$options)
    }), use.names = FALSE)
  }
  rows <- lapply(patterns, function(pattern) {
    own <- if (plain) reported(pack, literals_of(pack, pattern)[[1]]$item$id) else pack
    made <- estimates(own, pattern)
    data.frame(pattern = pattern, n = made$n, support = made$mean, se = sqrt(made$covariance[1, 1]))
  })
  do.call(rbind, rows)
}

rules <- function(pack, antecedent, consequent) {
  rows <- Map(function(left, right) {
    both <- paste(left, right, sep = ",")
    made <- estimates(pack, c(both, left, right))
    s <- made$mean
    error <- function(gradient) sqrt(drop(gradient %*% made$covariance %*% gradient))
    lift <- s[1] / s[2] / s[3]
    data.frame(
      antecedent = left, consequent = right, support = s[1], confidence = s[1] / s[2], lift = lift,
      leverage = s[1] - s[2] * s[3], "support se" = error(c(1, 0, 0)),
      "confidence se" = error(c(1 / s[2], -s[1] / s[2]^2, 0)),
      "lift se" = error(lift * c(1 / s[1], -1 / s[2], -1 / s[3])),
      "leverage se" = error(c(1, -s[3], -s[2])), check.names = FALSE
    )
  }, antecedent, consequent)
  made <- do.call(rbind, rows)
  rownames(made) <- NULL
  made
}

check_pack <- function(pack, tolerance = 1e-8) {
  said <- unlist(lapply(seq_along(pack$itemsets), function(at) {
    itemsets <- pack$itemsets[[at]]
    of <- if (nrow(itemsets)) of_run(pack, itemsets[1, ]) else pack
    found <- pack$rules[[at]]
    c(compared(names(pack$itemsets)[at], "shares", itemsets, function(row) shares(of, row$itemset), tolerance),
      compared(names(pack$rules)[at], "rules", found, function(row) rules(of, row$antecedent, row$consequent), tolerance))
  }))
  if (length(said)) said else "The pack holds no findings of mining runs to compare with."
}

# A run leaves direct answers out where too few gave the same ones: its shares are then of fewer people.
of_run <- function(pack, first) {
  asked <- tryCatch(shares(pack, first$itemset)$n, error = function(e) nrow(pack$records))
  if (as.numeric(first$n) < asked) without_direct(pack) else pack
}

compared <- function(name, what, theirs, compute, tolerance) {
  if (!nrow(theirs)) return(NULL)
  rows <- lapply(seq_len(nrow(theirs)), function(at) tryCatch(compute(theirs[at, ]), error = conditionMessage))
  lost <- vapply(rows, is.character, TRUE)
  why <- table(unlist(rows[lost]))
  said <- sprintf("%s: %d %s were left out: %s", name, why, what, names(why))
  if (all(lost)) return(said)
  ours <- do.call(rbind, rows[!lost])
  columns <- intersect(c("support", "confidence", "lift", "leverage"), names(ours))
  errors <- grep("se$", names(ours), value = TRUE)
  apart <- function(names) {
    abs(as.matrix(ours[names]) - matrix(as.numeric(unlist(theirs[!lost, names])), nrow(ours)))
  }
  none <- is.na(ours[[errors[1]]])
  distance <- max(0, apart(columns), apart(errors)[!none, ], na.rm = TRUE)
  if (anyNA(ours[columns])) distance <- Inf
  agree <- if (distance <= tolerance) "agree" else "do not agree"
  said <- c(sprintf("%s: %d %s %s, the largest difference is %.2g.", name, nrow(ours), what, agree, distance), said)
  if (any(none)) said <- c(said, sprintf("%s: the errors of %d %s need the command candor.", name, sum(none), what))
  said
}
