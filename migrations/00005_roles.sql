-- +goose Up
-- Least rights: the service works as daftar_service, auditors read as daftar_auditor. Neither can log in;
-- grant them to login roles with GRANT daftar_service TO name. If the migrating user may not create roles,
-- a DBA does it and runs the grants; the append-only triggers are active in any case.

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['daftar_service', 'daftar_auditor'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', name);
            EXCEPTION
                -- Another database of this server was faster.
                WHEN duplicate_object OR unique_violation THEN NULL;
                WHEN insufficient_privilege THEN RAISE NOTICE 'role % was not created: no right to', name;
            END;
        END IF;
    END LOOP;

    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_service') THEN
        BEGIN
            -- From PostgreSQL 16 on, the creator of a role administers it but may not SET ROLE to it
            -- without this.
            IF current_setting('server_version_num')::int >= 160000 THEN
                IF NOT pg_has_role(current_user, 'daftar_service', 'SET') THEN
                    EXECUTE 'GRANT daftar_service TO CURRENT_USER WITH SET TRUE';
                END IF;
            ELSIF NOT pg_has_role(current_user, 'daftar_service', 'MEMBER') THEN
                GRANT daftar_service TO CURRENT_USER;
            END IF;
        EXCEPTION WHEN insufficient_privilege THEN RAISE NOTICE 'not a member of daftar_service: no right to';
        END;
        GRANT USAGE ON SCHEMA public TO daftar_service;
        GRANT SELECT ON goose_db_version TO daftar_service;
        GRANT SELECT, INSERT ON events TO daftar_service;
        GRANT SELECT, INSERT, UPDATE ON intents, organizations, applications, access_tokens, checkout_attempts
            TO daftar_service;
        GRANT SELECT, UPDATE ON credential_epoch TO daftar_service;
    END IF;

    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'daftar_auditor') THEN
        GRANT USAGE ON SCHEMA public TO daftar_auditor;
        GRANT SELECT ON goose_db_version, events, intents, credential_epoch TO daftar_auditor;
    END IF;
END
$$;
-- +goose StatementEnd
