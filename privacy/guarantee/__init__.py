"""What a design promises to a respondent, as exact numbers that are rounded outward."""

from privacy.design.gammas import Gamma, of_epsilon as gamma_of_epsilon, outward, round_up
from privacy.guarantee.bounds import epsilon, gamma, limit_in_words, posterior_bound, promise_as_json
from privacy.guarantee.promise import Guarantee, guarantee
from privacy.guarantee.sentences import advice, explain, sentence_in_chances
