import { createContext } from 'react';

/** A value of each field of the live snapshot by the field's name, for whoever chooses one. */
export const ExamplesContext = createContext<ReadonlyMap<string, string>>(new Map());
