import { createContext, type ReactNode, use, useMemo } from 'react';
import type { SourceField } from '#shared/construction/schema.ts';
import { type ExtraField, groupsOf, type PickerGroup } from './picker-groups.ts';

/** The source fields of a catalogue, ready for pickers. */
export type Fields = {
  fields: readonly SourceField[];
  /** Readable fields: the catalogue's, the item number, mappings if they have run. */
  readable: readonly PickerGroup[];
  /** Writable fields: the catalogue's. */
  writable: readonly PickerGroup[];
};

const FieldsContext = createContext<Fields | null>(null);

type FieldsProviderProps = {
  fields: readonly SourceField[];
  /** Mappings and internal fields that can be read here. */
  extra?: readonly ExtraField[];
  children: ReactNode;
};

/** Provides the fields for the pickers below it (group '_field', CON-01). */
export function FieldsProvider({ fields, extra, children }: FieldsProviderProps) {
  const value = useMemo(
    () => ({ fields, readable: groupsOf(fields, true, extra), writable: groupsOf(fields, false) }),
    [fields, extra],
  );
  return <FieldsContext value={value}>{children}</FieldsContext>;
}

/** Returns the fields from context. @throws if there is no FieldsProvider above (CON-08) */
export function useFields(): Fields {
  const fields = use(FieldsContext);
  if (fields === null) throw new Error('useFields must be used within a FieldsProvider');
  return fields;
}
