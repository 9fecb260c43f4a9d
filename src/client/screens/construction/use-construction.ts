import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { type Construction, type ConstructionRow, incompleteRows } from '#shared/construction/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { type SaveFailure, saveFailureOf } from '#client/editor/save-failure.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { countRowChanges } from '#client/screens/construction/rows/rows.ts';
import { useSteps } from './use-steps.ts';
import type { View } from '#client/screens/construction/values/value-kinds.ts';

type Stored = Pick<Construction, 'rows' | 'revision' | 'header'>;

/** The rows of an export as a form: what is saved, what stands in the form, and the save of either view. */
export function useConstruction(projectId: string, loaded: Stored) {
  const [saved, setSaved] = useState<{ rows: readonly ConstructionRow[]; revision: number }>(loaded);
  const [header, setHeader] = useState(loaded.header);
  const { rows, setRows, steps, endStep } = useSteps(loaded.rows);
  // Each save checks anew.
  const [checked, setChecked] = useState<object | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const changes = useMemo(() => countRowChanges(saved.rows, rows), [saved.rows, rows]);
  const { complete, rowIds } = useMemo(() => incompleteRows(rows), [rows]);
  const open = useMemo(() => new Set(rowIds), [rowIds]);

  /** Tells whether everything is saved. CON-07: the labelled view is sent although rows are unfilled. */
  const save = async (view: View, anyway = false): Promise<boolean> => {
    setBusy(true);
    setChecked({});
    setFailure(null);
    try {
      const ifMatch = anyway ? undefined : saved.revision;
      const wanted = view === 'tabs' ? api.saveConstructionTabs : api.saveConstruction;
      const { revision, message } = await call(wanted, { params: { projectId }, body: [...rows], ifMatch });
      setSaved({ rows, revision });
      endStep();
      showSaved(message);
      return true;
    } catch (error) {
      setFailure(saveFailureOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const reload = async () => {
    try {
      const stored = await call(api.construction, { params: { id: projectId } });
      setRows(stored.rows);
      setSaved(stored);
      setHeader(stored.header);
      setChecked(null);
      setFailure(null);
    } catch (error) {
      const failed: Failure = failureOf('Fehler beim Laden', error);
      setFailure({ ...failed, conflict: true });
    }
  };
  const discard = () => {
    setRows(saved.rows);
    setChecked(null);
    setFailure(null);
  };
  const form = { rows, setRows, steps, saved: saved.rows, header, checked, busy, failure, changes, complete, open };
  return { ...form, check: () => setChecked({}), save, reload, discard, closeFailure: () => setFailure(null) };
}
export type ConstructionForm = ReturnType<typeof useConstruction>;
