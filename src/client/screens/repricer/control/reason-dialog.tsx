import { Button, Modal, Textarea } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';

type ReasonDialogProps = {
  opened: boolean;
  question: string;
  confirm: string;
  danger?: boolean;
  children: ReactNode;
  /** Tells whether it was done; only then the dialog closes by itself. */
  onConfirm: (reason: string) => Promise<boolean>;
  onClose: () => void;
};

/** Asks before something whose reason others want to read later. */
export function ReasonDialog(props: ReasonDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={<span className="k-strong">{props.question}</span>}
      keepMounted={false}
    >
      <Form {...props} />
    </Modal>
  );
}

function Form({ confirm, danger = false, children, onConfirm, onClose }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const done = await onConfirm(reason.trim());
    setBusy(false);
    setFailed(!done);
    if (done) onClose();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') void send();
  };
  return (
    <form className="k-stack" noValidate onSubmit={submit}>
      <p>{children}</p>
      <Textarea
        label="Grund"
        required
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={
          missing
            ? 'Bitte nennen Sie einen Grund.'
            : failed
              ? 'Das hat nicht geklappt. Bitte erneut versuchen.'
              : undefined
        }
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" color={danger ? 'red.9' : undefined} loading={busy}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}
