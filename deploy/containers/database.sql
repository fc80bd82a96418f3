CREATE ROLE candor LOGIN;
CREATE DATABASE candor OWNER candor ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;
\connect candor
GRANT pg_checkpoint TO candor;
GRANT EXECUTE ON FUNCTION pg_switch_wal() TO candor;
