library(candorpack)

pack_of <- function(block, records) {
  folder <- tempfile()
  dir.create(folder)
  writeLines(sprintf('{"blocks":[%s],"candor":1,"direct":true,"of":4294967296}', block), file.path(folder, "design.json"))
  writeLines(c("item,recorded,true,probability,least", "a,0,0,1,1"), file.path(folder, "channels.csv"))
  utils::write.csv(records, file.path(folder, "records.csv"), row.names = FALSE)
  read_pack(folder)
}

# Warner, theta = 3/4: 400 of 1000 say yes, so the share is (0.4 - 0.25) / 0.5.
half <- '"options":["0","1"],"noise":[2147483648,2147483648]'
coin <- sprintf('{"keep":2147483648,"items":[{"id":"a",%s}]}', half)
one <- shares(pack_of(coin, data.frame(direct = 0, a = rep(c(1, 0), c(400, 600)))))
stopifnot(all.equal(one$support, 0.3), all.equal(one$se, sqrt(0.24 / 1000) / 0.5))

# A file that is missing is one sentence, which names it; a file of records and its design are enough.
message_of <- function(call) tryCatch(call, error = conditionMessage)
stopifnot(identical(message_of(read_pack("none.zip")), "none.zip: there is no such file."),
          identical(message_of(read_records("none.csv", "none.json")), "none.json: there is no such file."))
folder <- tempfile()
dir.create(folder)
files <- file.path(folder, c("people.csv", "exact.json"))
writeLines(c("a", rep("1", 400), rep("0", 600)), files[1])
writeLines(sprintf('{"blocks":[%s],"candor":1,"direct":false,"of":4294967296}', coin), files[2])
stopifnot(all.equal(shares(read_records(files[1], files[2]))$support, 0.3))

# Flips that turn one of two answers with the chance 1/4: of a pair of yes, by the inverse of a matrix written by hand.
flips <- '{"flips":[3221225472,1073741824,0],"items":[{"id":"a"},{"id":"b"}]}'
records <- data.frame(direct = 0, a = rep(c(1, 1, 0, 0), c(50, 20, 20, 10)), b = rep(c(1, 0, 1, 0), c(50, 20, 20, 10)))
m <- matrix(c(6, 1, 1, 0, 1, 6, 0, 1, 1, 0, 6, 1, 0, 1, 1, 6) / 8, 4)
stopifnot(all.equal(shares(pack_of(flips, records), "a,b")$support, solve(m, c(0.1, 0.2, 0.2, 0.5))[4]))

# A one-sided block: the harmless no becomes yes with the chance 1/2.
garbled <- '{"one-sided":2147483648,"items":[{"id":"a","harmless":"0"}]}'
stopifnot(all.equal(shares(pack_of(garbled, data.frame(direct = 0, a = rep(1:0, c(60, 40)))))$support, 0.2))

# Two of three questions are asked: available cases, from everybody asked a, asked b, and asked both.
sampled <- '{"keep":4294967296,"ask":2,"items":[%s]}'
items <- paste(sprintf('{"id":"%s",%s}', c("a", "b", "c"), half), collapse = ",")
records <- data.frame(direct = 0, a = rep(c(1, 0, 1, ""), c(30, 30, 20, 20)), b = rep(c(1, 0, "", 1), c(30, 30, 20, 20)),
                      c = rep(c("", 1), c(60, 40)))
one <- shares(pack_of(sprintf(sampled, items), records), "a,b")
# 1/4 + 1/2 (50/80 - 1/2) + 1/2 (50/80 - 1/2) + 1/4
stopifnot(all.equal(one$support, 0.625), is.na(one$se), one$n == 60)

# A coin by gamma, 9: of two yes/no answers it keeps 2/3, of such an answer with one of four options 1/2; records count by
# its square. Yes, no and yes less 1/2 each: (1/3 - 1/3 + 1/4) / (4/9 + 4/9 + 1/4) above 1/2.
quarter <- '"options":["w","x","y","z"],"noise":[1073741824,1073741824,1073741824,1073741824]'
by_gamma <- sprintf('{"by-gamma":38654705664,"ask":2,"items":[{"id":"a",%s},{"id":"b",%s},{"id":"c",%s}]}', half, half, quarter)
records <- data.frame(direct = 0, a = c(1, 0, 1), b = c(1, 1, ""), c = c("", "", "z"))
stopifnot(all.equal(shares(pack_of(by_gamma, records), "a")$support, 1 / 2 + 9 / 41))

# Apostrophes that keep a spreadsheet from computing are no part of a text.
records <- data.frame(direct = 0, a = 1, x = c("'=1", "''=1", "'tis", "a;'=1", "'-5", "-5", "'\" @"))
read <- pack_of(sprintf(sampled, items), records)$records$x
stopifnot(identical(read, c("=1", "'=1", "'tis", "a;=1", "'-5", "-5", "\" @")))

# Where everybody answered directly a regression is an ordinary one.
set.seed(7)
records <- data.frame(direct = 1, a = rbinom(400, 1, 0.4), x = 1:400 / 400)
ours <- regress(pack_of(coin, records), "a", "x")
ordinary <- summary(stats::glm(a ~ x, stats::binomial, records))$coefficients
stopifnot(all.equal(ours$estimate, unname(ordinary[, 1]), tolerance = 1e-6),
          all.equal(ours$se, unname(ordinary[, 2]), tolerance = 1e-4))
