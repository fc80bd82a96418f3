# Shares and rules: each record weighs so that the mean of the weights is the share of true answers.

# A channel over whether each answer matches its literal: rows are what is recorded, the first literal the highest bit.
channel_of <- function(items, matching) {
  block <- items[[1]]$block
  count <- length(items)
  states <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), count))[, count:1, drop = FALSE])
  chance <- mapply(function(item, own) if (is.null(item$noise)) NA else sum(item$noise[own]), items, matching)
  one_coin <- function(keep, noise) keep * diag(length(noise)) + (1 - keep) * matrix(noise, length(noise), length(noise))
  if (!is.null(block$patterned) || !is.null(block$number) || !is.null(block$place)) {
    stop("Answers in a public order, numbers and places need the command candor: R inverts answers among options alone.")
  }
  if (!is.null(block$flips)) {
    flips <- unlist(block$flips) / ONE
    s <- length(flips) - 1
    turned <- vapply(0:count, function(e) sum(flips * choose(s - count, 0:s - e) / choose(s, 0:s)), 0)
    differ <- apply(states, 1, function(one) apply(states, 1, function(other) sum(one != other)))
    return(matrix(turned[differ + 1], nrow(states)))
  }
  if (identical(block$coin, "each") || !is.null(block[["one-sided"]])) {
    keep <- if (is.null(block[["one-sided"]])) block$keep / ONE else 1 - block[["one-sided"]] / ONE
    return(Reduce(kronecker, lapply(chance, function(q) one_coin(keep, c(1 - q, q)))))
  }
  if (!is.null(block$theta)) stop("A grouped block is for study alone: use the command candor.")
  one_coin(block$keep / ONE, apply(states, 1, function(state) prod(ifelse(state, chance, 1 - chance))))
}

literals_of <- function(pack, pattern) {
  lapply(strsplit(pattern, ",", fixed = TRUE)[[1]], function(word) {
    negated <- startsWith(word, "!")
    word <- sub("^!", "", word)
    id <- sub("=.*", "", word)
    item <- pack$items[[id]]
    if (is.null(item)) stop("The design has no item ", id, ".")
    own <- item$options == (if (grepl("=", word, fixed = TRUE)) sub("^[^=]*=", "", word) else "1")
    list(item = item, matching = which(own != negated))
  })
}

# The weight of every record, NA where the pattern was not asked; a direct answer weighs 1 or 0.
weights_of <- function(pack, pattern) {
  literals <- literals_of(pack, pattern)
  places <- vapply(literals, function(one) one$item$place, 0)
  direct <- disguised <- rep(1, nrow(pack$records))
  for (place in unique(places)) {
    own <- literals[places == place]
    if (length(own) > 1 && !is.null(own[[1]]$item$block$ask)) {
      stop("Several answers of a block that asks some of its items need the command candor.")
    }
    channel <- channel_of(lapply(own, `[[`, "item"), lapply(own, `[[`, "matching"))
    weight <- solve(t(channel), c(rep(0, nrow(channel) - 1), 1))
    state <- 0
    for (one in own) {
      code <- match(pack$records[[one$item$id]], one$item$options)
      state <- 2 * state + ifelse(is.na(code), NA, code %in% one$matching)
    }
    disguised <- disguised * weight[state + 1]
    direct <- direct * (state == nrow(channel) - 1)
  }
  ifelse(pack$direct, direct, disguised)
}

# Means of both groups, joined by their sizes, with the covariance of the joined means.
stratified <- function(weights, direct) {
  weights <- as.matrix(weights)
  n <- nrow(weights)
  asked <- stats::complete.cases(weights)
  k <- mean(direct)
  mean_of <- function(rows) if (any(rows)) colMeans(weights[rows, , drop = FALSE]) else rep(0, ncol(weights))
  spread <- function(rows, mean) {
    if (!any(rows)) return(0)
    (crossprod(weights[rows, , drop = FALSE]) / sum(rows) - tcrossprod(mean)) / sum(rows)
  }
  first <- mean_of(asked & direct)
  second <- mean_of(asked & !direct)
  covariance <- k^2 * spread(asked & direct, first) + (1 - k)^2 * spread(asked & !direct, second) +
    k * (1 - k) * tcrossprod(first - second) / n
  list(n = sum(asked), mean = k * first + (1 - k) * second, covariance = covariance)
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
    made <- stratified(weights_of(own, pattern), own$direct)
    data.frame(pattern = pattern, n = made$n, support = made$mean, se = sqrt(made$covariance[1, 1]))
  })
  do.call(rbind, rows)
}

rules <- function(pack, antecedent, consequent) {
  rows <- Map(function(left, right) {
    both <- paste(left, right, sep = ",")
    made <- stratified(sapply(c(both, left, right), function(one) weights_of(pack, one)), pack$direct)
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
  apart <- function(ours, theirs) max(0, abs(as.matrix(ours) - sapply(theirs, as.numeric)), na.rm = TRUE)
  says <- function(name, what, count, distance) {
    sprintf("%s: %d %s %s, the largest difference is %.2g.", name, count, what,
            if (distance <= tolerance) "agree" else "do not agree", distance)
  }
  of_run <- function(itemsets) {
    if (nrow(itemsets) && max(as.numeric(itemsets$n)) < nrow(pack$records)) without_direct(pack) else pack
  }
  said <- character()
  for (at in seq_along(pack$itemsets)) {
    of <- of_run(pack$itemsets[[at]])
    theirs <- pack$itemsets[[at]]
    if (nrow(theirs)) {
      ours <- shares(of, theirs$itemset)
      columns <- c("support", "se")
      said <- c(said, says(names(pack$itemsets)[at], "shares", nrow(ours), apart(ours[columns], theirs[columns])))
    }
    theirs <- pack$rules[[at]]
    if (nrow(theirs)) {
      ours <- rules(of, theirs$antecedent, theirs$consequent)
      columns <- setdiff(names(ours), c("antecedent", "consequent"))
      said <- c(said, says(names(pack$rules)[at], "rules", nrow(ours), apart(ours[columns], theirs[columns])))
    }
  }
  if (length(said)) said else "The pack holds no findings of mining runs to compare with."
}
