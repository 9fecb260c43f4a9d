import { Button, Modal, TextInput } from '@mantine/core';
import { type SyntheticEvent, useRef, useState } from 'react';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showFailure } from '#client/ui/notices.tsx';

type PutBackProps = {
  /** Label of the button: „Wieder ausliefern“. */
  action: string;
  /** Which of several: „Datei 3“. */
  name: string;
  /** What follows from the action. */
  explanation: string;
  onPutBack: (reason: string) => Promise<void>;
};

/** DIF: puts an older state back in force, with a reason that is stored. */
export function PutBack({ action, name, explanation, onPutBack }: PutBackProps) {
  const [opened, setOpened] = useState(false);
  const isShown = useRef(false);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const show = (now: boolean) => {
    isShown.current = now;
    setOpened(now);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    void putBack().finally(() => setBusy(false));
  };
  const putBack = async () => {
    try {
      await onPutBack(reason);
      show(false);
    } catch (error) {
      const failed = failureOf('Fehler beim Wiederherstellen', error);
      // A closed dialog shows nothing.
      if (isShown.current) setFailure(failed);
      else showFailure(failed);
    }
  };
  return (
    <>
      <Button size="xs" variant="default" aria-label={`${name}: ${action}`} onClick={() => show(true)}>
        {action}
      </Button>
      <Modal
        opened={opened}
        onClose={() => show(false)}
        title={<span className="k-strong">{`${name}: ${action}`}</span>}
      >
        <form className="k-stack" onSubmit={submit}>
          <p>{explanation}</p>
          <ErrorNotice failure={failure} />
          <TextInput
            label="Begründung"
            required
            maxLength={500}
            value={reason}
            data-autofocus
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <div className="k-row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={() => show(false)}>
              Abbrechen
            </Button>
            <Button type="submit" loading={busy} disabled={reason.trim() === ''}>
              {action}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
