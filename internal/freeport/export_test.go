package freeport

var TakeOne = take

const (
	Lowest  = lowest
	Highest = highest
)
