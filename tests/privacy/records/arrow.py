"""Records as Arrow holds them."""

import pyarrow as pa


def arrow_table(records, as_bits=True):
    """The records as another program would hold them: truth values or numbers, and options as categories."""
    columns = {"direct": pa.array(records.direct)}
    for field, codes in zip(records.design.fields, records.codes.T, strict=True):
        texts = [None if code == records.design.not_asked else field.scales[0][code] for code in codes.tolist()]
        if not field.boolean:
            columns[field.name] = pa.array(texts).dictionary_encode() if as_bits else pa.array(texts)
        else:
            values = [None if text is None else text == "1" for text in texts]
            columns[field.name] = pa.array(values) if as_bits else pa.array(values).cast(pa.int64())
    return pa.table(columns | {name: pa.array(values) for name, values in records.open_columns.items()})
