"""The API: a declared table of operations, from which addresses, checks and the OpenAPI document are made."""
