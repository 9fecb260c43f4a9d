import { createContext } from 'react';

/** A value of each field, as it is after the master's rules and mappings, by what a rule names, for whoever chooses one. */
export const ExamplesContext = createContext<ReadonlyMap<string, string>>(new Map());
