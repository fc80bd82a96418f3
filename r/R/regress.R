# A logistic regression on disguised answers: Newton's method on the likelihood, whose curvature follows by Louis (1982).

regress <- function(pack, outcome, on = character()) {
  disguised <- sub("=.*", "", sub("^!", "", on)) %in% names(pack$items)
  words <- c(outcome, on[disguised])
  literals <- lapply(words, function(word) literals_of(pack, word)[[1]])
  if (anyDuplicated(vapply(literals, function(one) one$item$id, ""))) {
    stop("Two literals of one question need the command candor.")
  }
  open <- vapply(on[!disguised], function(word) open_column(pack, word), numeric(nrow(pack$records)))
  open <- matrix(open, nrow(pack$records))
  seen <- vapply(literals, function(one) {
    code <- match(pack$records[[one$item$id]], one$item$options)
    ifelse(is.na(code), NA, code %in% one$matching)
  }, logical(nrow(pack$records)))
  kept <- stats::complete.cases(open) & rowSums(!is.na(seen)) > 0
  open <- open[kept, , drop = FALSE]
  seen <- seen[kept, , drop = FALSE]
  direct <- pack$direct[kept]
  states <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), length(words))))
  key <- apply(cbind(direct, seen), 1, paste, collapse = " ")
  first <- match(unique(key), key)
  chances <- t(vapply(first, function(row) chance_of(literals, seen[row, ], direct[row], states), numeric(nrow(states))))
  chances <- matrix(chances, length(first))[match(key, unique(key)), , drop = FALSE]

  marks <- states[, -1, drop = FALSE]
  combination <- factor(apply(marks, 1, paste, collapse = " "), unique(apply(marks, 1, paste, collapse = " ")))
  combinations <- marks[!duplicated(combination), , drop = FALSE]
  x <- lapply(seq_len(nrow(states)), function(s) {
    made <- matrix(1, nrow(open), 1 + length(on))
    made[, 1 + which(!disguised)] <- open
    made[, 1 + which(disguised)] <- rep(as.numeric(marks[s, ]), each = nrow(open))
    made
  })
  features <- lapply(seq_len(nrow(combinations)), function(c) {
    constant <- as.numeric(seq_len(nrow(combinations))[-1] == c)
    lines <- lapply(as.numeric(combinations[c, ]), function(mark) mark * open)
    do.call(cbind, c(list(matrix(rep(constant, each = nrow(open)), nrow(open))), lines))
  })
  fit <- newton(function(parameters) louis(parameters, x, features, as.integer(combination), states[, 1], chances),
                1 + length(on) + ncol(features[[1]]))
  chosen <- seq_len(1 + length(on))
  estimate <- fit$parameters[chosen]
  se <- sqrt(diag(solve(fit$information)))[chosen]
  data.frame(name = c("(intercept)", on), estimate = estimate, se = se, odds = exp(estimate))
}

open_column <- function(pack, word) {
  if (word == "direct") return(as.numeric(pack$direct))
  name <- sub("=.*", "", word)
  column <- pack$records[[name]]
  if (is.null(column)) stop("There is no column ", name, ".")
  values <- if (word == name) as.numeric(column) else as.numeric(column == sub("^[^=]*=", "", word))
  ifelse(column == "", NA, values)
}

# P(this record | state) for each state, of what was asked.
chance_of <- function(literals, seen, direct, states) {
  asked <- which(!is.na(seen))
  if (direct) return(as.numeric(apply(states[, asked, drop = FALSE], 1, function(state) all(state == seen[asked]))))
  made <- rep(1, nrow(states))
  places <- vapply(literals, function(one) one$item$place, 0)
  for (place in unique(places[asked])) {
    own <- asked[places[asked] == place]
    number <- function(bits) sum(bits * 2^(rev(seq_along(bits)) - 1)) + 1
    channel <- channel_of(lapply(literals[own], `[[`, "item"), lapply(literals[own], `[[`, "matching"))
    made <- made * channel[number(seen[own]), apply(states[, own, drop = FALSE], 1, number)]
  }
  made
}

# The likelihood, its gradient and the observed information.
louis <- function(parameters, x, features, combination, yes, chances) {
  beta <- parameters[seq_len(ncol(x[[1]]))]
  eta <- vapply(x, function(one) drop(one %*% beta), numeric(nrow(chances)))
  height <- exp(vapply(features, function(one) drop(one %*% parameters[-seq_along(beta)]), numeric(nrow(chances))))
  height <- matrix(height, nrow(chances))
  prior <- height / rowSums(height)
  joint <- prior[, combination, drop = FALSE] * plogis(sweep(eta, 2, ifelse(yes, 1, -1), "*")) * chances
  total <- rowSums(joint)
  posterior <- joint / total
  average <- Reduce(`+`, Map(function(one, c) one * prior[, c], features, seq_along(features)))
  score <- matrix(0, nrow(chances), length(parameters))
  information <- matrix(0, length(parameters), length(parameters))
  hidden <- -seq_along(beta)
  for (s in seq_along(x)) {
    chance <- plogis(eta[, s])
    own <- cbind(x[[s]] * (yes[s] - chance), features[[combination[s]]] - average)
    score <- score + posterior[, s] * own
    information <- information - crossprod(own, posterior[, s] * own)
    information[seq_along(beta), seq_along(beta)] <- information[seq_along(beta), seq_along(beta)] +
      crossprod(x[[s]], posterior[, s] * chance * (1 - chance) * x[[s]])
  }
  for (c in seq_along(features)) {
    apart <- features[[c]] - average
    information[hidden, hidden] <- information[hidden, hidden] + crossprod(apart, prior[, c] * apart)
  }
  list(value = sum(log(total)), gradient = colSums(score), information = information + crossprod(score))
}

newton <- function(evaluate, count, most = 200) {
  parameters <- rep(0, count)
  now <- evaluate(parameters)
  for (round in seq_len(most)) {
    own <- eigen(now$information, symmetric = TRUE)
    strength <- pmax(abs(own$values), 1e-8 * max(abs(own$values)))
    step <- drop(own$vectors %*% (crossprod(own$vectors, now$gradient) / strength))
    if (sum(step * now$gradient) < 1e-16) return(c(list(parameters = parameters), now))
    size <- 1
    repeat {
      tried <- evaluate(parameters + size * step)
      if (is.finite(tried$value) && tried$value >= now$value - 1e-9) break
      size <- size / 2
      if (size < 1e-10) stop("The likelihood has no maximum that these records can tell.")
    }
    parameters <- parameters + size * step
    now <- tried
  }
  stop("The likelihood did not settle.")
}
