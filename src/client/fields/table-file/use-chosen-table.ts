import { useRef, useState } from 'react';
import { type Failure, failureOf } from '#client/failure.ts';
import { readTableFile } from '#client/sending/read-table-file.ts';

/** A table that the user takes from a file; reading a workbook takes seconds. */
export type ChosenTable = {
  /** While a file is read, nothing else should be typed into its place. */
  busy: boolean;
  notes: readonly string[];
  failure: Failure | null;
  /** Reads a file; null forgets the last one. Resolves to false if the file could not be read. */
  take: (file: File | null) => Promise<boolean>;
};

/** `onText` gets the table as CSV, unless another file has been chosen meanwhile. */
export function useChosenTable(onText: (text: string) => void): ChosenTable {
  const [busy, setBusy] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const round = useRef(0);
  const take = async (file: File | null): Promise<boolean> => {
    round.current += 1;
    const mine = round.current;
    setNotes([]);
    setFailure(null);
    setBusy(file !== null);
    if (file === null) return true;
    try {
      const table = await readTableFile(file);
      if (mine !== round.current) return true;
      onText(table.text);
      setNotes(table.notes);
      return true;
    } catch (error) {
      if (mine !== round.current) return true;
      setFailure(failureOf('Fehler beim Hochladen', error));
      return false;
    } finally {
      if (mine === round.current) setBusy(false);
    }
  };
  return { busy, notes, failure, take };
}
