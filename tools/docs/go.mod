module daftar/tools/docs

go 1.26.0

replace daftar => ../..

require (
	github.com/google/go-cmp v0.7.0
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
	github.com/yuin/goldmark v1.8.7
	go.yaml.in/yaml/v4 v4.0.0-rc.4
)
