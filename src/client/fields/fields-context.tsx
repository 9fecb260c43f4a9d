import { createContext, type ReactNode, use, useMemo } from 'react';
import type { SourceField } from '#shared/construction.ts';
import { groupsOf, type PickerGroup } from './picker-groups.ts';

/** The source fields of a catalogue, ready for pickers. */
export type Fields = {
  fields: readonly SourceField[];
  /** Fields that may be read: the project's and the item number. */
  readable: readonly PickerGroup[];
  /** Fields that may be written: the project's. */
  writable: readonly PickerGroup[];
};

const FieldsContext = createContext<Fields | null>(null);

/** Gives the pickers below it the fields to choose from (group '_field', CON-01). */
export function FieldsProvider({ fields, children }: { fields: readonly SourceField[]; children: ReactNode }) {
  const value = useMemo(
    () => ({ fields, readable: groupsOf(fields, true), writable: groupsOf(fields, false) }),
    [fields],
  );
  return <FieldsContext value={value}>{children}</FieldsContext>;
}

/** @throws where no FieldsProvider stands above (CON-08) */
export function useFields(): Fields {
  const fields = use(FieldsContext);
  if (fields === null) throw new Error('useFields must be used within a FieldsProvider');
  return fields;
}
