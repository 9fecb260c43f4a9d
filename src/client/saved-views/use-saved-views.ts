import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { NewView, SavedView, ViewChange, ViewPlace } from '#shared/saved-views/schema.ts';
import { call } from '#client/call.ts';
import { type FailureText, failureOf } from '#client/failure.ts';
import { showFailure, showSaved } from '#client/ui/notices.tsx';
import { useLive } from '#client/use-live.ts';

/** The views of one table and the actions on them. A failed action shows a notice and changes nothing. */
export function useSavedViews({ table, masterid }: ViewPlace) {
  const [version, setVersion] = useState(0);
  const question = useMemo(() => ({ table, masterid, version }), [table, masterid, version]);
  const { answer, failure, retry } = useLive(
    question,
    (signal) => call(api.savedViews, { query: { table, masterid }, signal }),
    { delay: 0 },
  );
  const attempt = async <Result>(
    title: FailureText,
    done: string | ((result: Result) => string),
    act: () => Promise<Result>,
  ): Promise<Result | null> => {
    try {
      const result = await act();
      showSaved(typeof done === 'string' ? done : done(result));
      return result;
    } catch (error) {
      showFailure(failureOf(title, error));
      return null;
    } finally {
      // Also after a failure: the loaded list may have been outdated.
      setVersion((count) => count + 1);
    }
  };
  const notSaved = 'Fehler beim Speichern';
  return {
    /** null until loaded. */
    list: answer,
    failure,
    retry,
    add: (view: Omit<NewView, keyof ViewPlace>) =>
      attempt(notSaved, 'Ansicht gespeichert', () => call(api.createView, { body: { ...view, table, masterid } })),
    change: (view: SavedView, body: ViewChange) =>
      attempt(notSaved, changedWords(view), () =>
        call(api.saveView, { params: { view: view.id }, body, ifMatch: view.revision }),
      ),
    remove: (view: SavedView) =>
      attempt('Fehler beim Löschen', 'Ansicht gelöscht', () => call(api.deleteView, { params: { view: view.id } })),
    setStandard: (view: SavedView, standard: boolean) =>
      attempt(
        notSaved,
        standard ? 'Die Tabelle beginnt nun mit dieser Ansicht' : 'Die Tabelle beginnt ohne Ansicht',
        () => call(api.setStandardView, { params: { view: view.id }, body: { standard } }),
      ),
  };
}

/** Unsharing a view whose owner has left makes the user its owner. */
const changedWords = (before: SavedView) => (saved: SavedView) =>
  saved.own && !before.own
    ? 'Ansicht gespeichert. Sie gehört nun Ihnen, denn wer sie angelegt hat, ist nicht mehr in Ihrer Firma'
    : 'Ansicht gespeichert';

export type SavedViewActions = ReturnType<typeof useSavedViews>;
