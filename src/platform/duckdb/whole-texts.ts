import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

// DuckDB's binding decodes texts with a decoder that drops a byte order mark at their beginning. Merchants' values begin with one
// where files were concatenated: the grid would show another value than rules, filters and exports see.
Object.defineProperty(accessors, 'textDecoder', { value: new TextDecoder('utf-8', { ignoreBOM: true }) });
