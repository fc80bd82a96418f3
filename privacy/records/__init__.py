"""Records: disguised answers as a table of codes, packed into bits, and read from and written to files."""

from privacy.records.read import read_answers, read_records, record_batches, record_parts
from privacy.records.records import (
    Records,
    check_answers,
    check_codes,
    check_direct,
    read_answer_codes,
    read_batches,
    record_blocks,
    write_records,
)
