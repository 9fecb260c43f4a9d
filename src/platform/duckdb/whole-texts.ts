import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

// DuckDB's binding reads texts with a decoder that takes a byte order mark at their beginning for none of theirs. Merchants' values begin
// with one where files were put together: the grid would show another value than rules, filters and exports see.
Object.defineProperty(accessors, 'textDecoder', { value: new TextDecoder('utf-8', { ignoreBOM: true }) });
