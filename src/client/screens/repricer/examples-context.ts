import { createContext } from 'react';

/**
 * An example value of each field, after the catalogue's rules and mappings, by the name
 * that rules use; shown when choosing a field.
 */
export const ExamplesContext = createContext<ReadonlyMap<string, string>>(new Map());
