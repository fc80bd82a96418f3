"""`candor anonymize`: a table with a row per person, generalised until it fulfils a model of anonymity."""

import argparse

NAME = "anonymize"
HELP = "generalise a table with a row per person until it fulfils a model such as k-anonymity"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="a CSV file with a header and a row per person")
    parser.add_argument("spec", metavar="SPEC", help="roles, hierarchies, model and method in JSON")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the CSV file to write")
    parser.add_argument("--report", metavar="REPORT", help="a JSON file of what was done, lost and tried")


def run(arguments: argparse.Namespace) -> int:
    from candor.release import Anonymized
    from privacy.errors import InputError
    from privacy.output import as_json
    from privacy.records.files import keep_inputs, whole_file
    from privacy.release import anonymize, as_csv, read_spec, read_table

    spec = read_spec(arguments.spec)
    for path in filter(None, (arguments.output, arguments.report)):
        keep_inputs(path, table=arguments.table, spec=arguments.spec, **spec.files)
    if arguments.report is not None:
        keep_inputs(arguments.report, release=arguments.output)
    table = {name: column.tolist() for name, column in read_table(arguments.table).items()}
    release = anonymize(table, spec)
    result = Anonymized(release)
    if not release.columns:
        raise InputError("Every column is an identifier; nothing is left to release.")
    with whole_file(arguments.output) as file:
        file.write(as_csv(release.columns))
    if arguments.report is not None:
        with whole_file(arguments.report) as file:
            file.write(as_json(result.to_json()).encode() + b"\n")
    print(as_json(result.to_json()) if arguments.json else result)
    return 0
