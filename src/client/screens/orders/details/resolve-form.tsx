import { Button, Radio, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call, CallError } from '#client/call.ts';
import { failureOf, fieldError } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useMissing } from '#client/ui/form/use-missing.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { useFailure } from '#client/use-failure.ts';
import classes from './details.module.css';

/**
 * For an action of which nobody knows whether it reached the marketplace: the user checks there
 * and enters the outcome and how it is known.
 */
export function ResolveForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [outcome, setOutcome] = useState<'done' | 'not_done' | null>(null);
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useFailure();
  const [problem, setProblem] = useState<string | undefined>();
  const { busy, start } = useOnce(async () => {
    if (outcome === null) return;
    setFailure(null);
    setProblem(undefined);
    try {
      await call(api.resolveAction, { params: { id }, body: { outcome, reason } });
      onDone();
    } catch (error) {
      setProblem(error instanceof CallError ? fieldError(error, 'reason') : undefined);
      setFailure(failureOf('Fehler beim Speichern', error));
    }
  });
  const { hint, button } = useMissing(
    outcome === null || reason.trim() === '' ? 'Bitte angeben, was geschehen ist und woher Sie es wissen.' : '',
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    start();
  };
  return (
    <form className={classes.resolve} onSubmit={submit} noValidate>
      <p>
        Was daraus wurde, ließ sich beim Marktplatz nicht nachlesen. Bitte sehen Sie dort nach; von allein wird nichts
        noch einmal gesendet.
      </p>
      <Radio.Group
        label="Was ist beim Marktplatz geschehen?"
        value={outcome ?? ''}
        onChange={(value) => setOutcome(value === 'done' ? 'done' : 'not_done')}
      >
        <div className="k-row" style={{ gap: 16, paddingTop: 4 }}>
          <Radio value="done" label="Es ist dort angekommen" />
          <Radio value="not_done" label="Es ist nicht angekommen" />
        </div>
      </Radio.Group>
      <TextInput
        label="Woher wissen Sie es?"
        maxLength={500}
        value={reason}
        error={problem}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <ErrorNotice failure={failure} />
      {hint}
      <div>
        <Button type="submit" size="xs" loading={busy} {...button}>
          Klären
        </Button>
      </div>
    </form>
  );
}
