package main

import (
	"fmt"

	"daftar/export"
)

// checkExport reads where the log is exported to; without an address, nowhere.
func (e environment) checkExport(problems []string) (export.Config, []string) {
	c := export.Config{Stream: e.NATSStream, Subjects: e.NATSSubjects, Credentials: e.NATSCredentials, CA: e.NATSCA}
	if e.NATSURL == "" {
		return c, problems
	}
	wrong := func(name string, err error) {
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", name, err))
		}
	}
	var err error
	c.Servers, err = export.ParseServers(e.NATSURL)
	wrong("DAFTAR_NATS_URL", err)
	wrong("DAFTAR_NATS_STREAM", export.CheckStream(c.Stream))
	wrong("DAFTAR_NATS_SUBJECTS", export.CheckSubjects(c.Subjects))
	wrong("DAFTAR_NATS_CREDENTIALS", export.CheckFile(c.Credentials))
	wrong("DAFTAR_NATS_CA", export.CheckFile(c.CA))
	return c, problems
}

// openExport connects to where the log is exported to, if it is: nil where it is
// not. That nobody is there is no error: the export waits.
func (s *server) openExport(c export.Config) (*export.NATS, error) {
	if len(c.Servers) == 0 {
		return nil, nil
	}
	if exposed := export.Exposed(c.Servers); len(exposed) > 0 {
		s.log.Warn().Strs("servers", exposed).Msg("the log goes to NATS without encryption; tls:// in DAFTAR_NATS_URL encrypts it")
	}
	c.Log, c.Registerer = s.log, s.registry
	x, err := export.New(c)
	if err != nil {
		return nil, misusef("DAFTAR_NATS_URL: %w", err)
	}
	return x, nil
}
