"""From what a researcher enters to the published questionnaire and what it promises."""
