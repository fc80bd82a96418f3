# What R's package survey says of people.csv: `Rscript survey.R` prints the JSON that results.json holds.
# Disguised answers are their inverted values, (answer - .2) / .6 of a coin that turns two answers in ten.
suppressMessages(library(survey))
options(warn = -1)
people <- read.csv("people.csv", stringsAsFactors = TRUE)
people$y <- (people$drugs - .2) / .6
people$z <- (people$theft - .2) / .6
people$both <- people$y * people$z
people$neither <- (1 - people$y) * (1 - people$z)
total <- 6000
sex <- c(f = 3100, m = 2900)
age <- c(middle = 2300, old = 1800, young = 1900)
linear <- c(`(Intercept)` = total, sexm = 2900, ageold = 1800, ageyoung = 1900)
income <- c(linear, income = 6000 * 30.3)
exact <- 1e-11
people$w <- people$w * total / sum(people$w)
drawn <- svydesign(id = ~town, strata = ~region, weights = ~w, data = people)
formula <- ~ sex + age
designs <- list(
  drawn = drawn,
  alone = svydesign(id = ~1, weights = ~w, data = people),
  poststratified = postStratify(drawn, ~sex, data.frame(sex = names(sex), Freq = sex)),
  raked = calibrate(drawn, formula, linear, calfun = "raking", epsilon = exact),
  trimmed = calibrate(drawn, ~ sex + age + income, income, calfun = "raking", bounds = c(.65, 1.5), epsilon = exact),
  linear = calibrate(drawn, formula, linear),
  greg = calibrate(drawn, ~ sex + age + income, income),
  raked_income = calibrate(drawn, ~ sex + age + income, income, calfun = "raking", epsilon = exact)
)

one <- function(figure) c(as.numeric(coef(figure)), as.numeric(sqrt(diag(as.matrix(vcov(figure))))))
figures <- function(design) {
  line <- svyglm(y ~ income, design)
  odds <- svyglm(smokes ~ income, design, family = quasibinomial, control = list(epsilon = 1e-14))
  list(
    share = one(svymean(~y, design)),
    cell = one(svymean(~neither, design)),
    confidence = one(svyratio(~both, ~y, design)),
    difference = one(svyglm(y ~ sex, design))[c(2, 4)],
    line = one(line), odds = one(odds)
  )
}
digits <- function(numbers) paste0("[", paste(sprintf("%.12g", numbers), collapse = ", "), "]")
rows <- sapply(names(designs), function(name) {
  found <- figures(designs[[name]])
  paste0('  "', name, '": {', paste0('"', names(found), '": ', sapply(found, digits), collapse = ", "), "}")
})
cat("{\n", paste(rows, collapse = ",\n"), "\n}\n", sep = "")
