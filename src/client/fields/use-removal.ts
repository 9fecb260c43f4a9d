import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { showSaved } from '#client/ui/notices.tsx';
import { type FailureText, failureOf } from '#client/failure.ts';
import { useFailure } from '#client/use-failure.ts';

/** Deletes an entry of a list after a confirmation: the entry in question, the deletion, and its failure. */
export function useRemoval<T>(
  send: (one: T) => Promise<unknown>,
  announcement = 'Gelöscht',
  problem: FailureText = 'Fehler beim Löschen',
) {
  const [leaving, setLeaving] = useState<T | null>(null);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const remove = async () => {
    if (leaving === null) return;
    setFailure(null);
    try {
      await send(leaving);
      showSaved(announcement);
      await revalidate();
    } catch (error) {
      setFailure(failureOf(problem, error));
    } finally {
      setLeaving(null);
    }
  };
  return { leaving, setLeaving, failure, setFailure, remove };
}
