"""What a design promises to a respondent, as exact numbers that are rounded outward."""

from privacy.design.gammas import Gamma, outward, rounded_up
from privacy.guarantee.bounds import epsilon, gamma, posterior_bound, promised
from privacy.guarantee.promise import Guarantee, guarantee
from privacy.guarantee.sentences import advice, believed, explain
