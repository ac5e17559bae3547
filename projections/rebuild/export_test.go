package rebuild

// ChunkEnds are the first and the last stream of a chunk.
var ChunkEnds = chunkEnds
