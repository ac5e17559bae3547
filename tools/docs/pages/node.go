package main

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// node is a node of the API's description; nil if it does not exist.
type node struct {
	*yaml.Node
	r    *reader
	name string // of the component that a reference led to
}

// pair is a name in a mapping and its value.
type pair struct {
	name  string
	value node
}

// pairs returns the pairs of a mapping, in order.
func (n node) pairs() []pair {
	if n.Node == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	all := make([]pair, 0, len(n.Content)/2)
	for k := 0; k+1 < len(n.Content); k += 2 {
		all = append(all, pair{n.Content[k].Value, n.r.follow(node{Node: n.Content[k+1], r: n.r})})
	}
	return all
}

// items returns the items of a sequence.
func (n node) items() []node {
	if n.Node == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	all := make([]node, len(n.Content))
	for k, one := range n.Content {
		all[k] = n.r.follow(node{Node: one, r: n.r})
	}
	return all
}

func (n node) at(name string) node {
	for _, p := range n.pairs() {
		if p.name == name {
			return p.value
		}
	}
	return node{r: n.r}
}

func (n node) has(name string) bool { return n.at(name).Node != nil }

func (n node) text(name string) string {
	if found := n.at(name); found.Node != nil {
		return found.Value
	}
	return ""
}

// follow resolves a reference.
func (r *reader) follow(n node) node {
	if n.Node == nil || n.Kind != yaml.MappingNode || len(n.Content) != 2 || n.Content[0].Value != "$ref" {
		return n
	}
	to := n.Content[1].Value
	path, ours := strings.CutPrefix(to, "#/")
	at := node{Node: r.root, r: r}
	for part := range strings.SplitSeq(path, "/") {
		at = at.at(part)
		at.name = part
	}
	if r.err == nil && (!ours || at.Node == nil) {
		r.err = fmt.Errorf("%s leads nowhere", to)
	}
	return at
}
