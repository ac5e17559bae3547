-- Once, on the primary, as its superuser:
-- psql --set=owner_password=… --set=password=… --file=roles.sql
CREATE ROLE daftar_service;
CREATE ROLE daftar_auditor;
CREATE ROLE daftar_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE daftar LOGIN PASSWORD :'password';
GRANT daftar_service TO daftar, daftar_owner;
CREATE DATABASE daftar OWNER daftar_owner ENCODING 'UTF8' TEMPLATE template0;
