import { Button, Textarea } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';

type ReasonDialogProps = {
  opened: boolean;
  question: string;
  confirm: string;
  danger?: boolean;
  children: ReactNode;
  /** Resolves to whether it succeeded; only then the dialog closes by itself. */
  onConfirm: (reason: string) => Promise<boolean>;
  onClose: () => void;
};

/** Asks for confirmation with a reason that others can read later. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { opened, question, onClose } = props;
  const [dirty, setDirty] = useState(false);
  return (
    <FormDialog opened={opened} dirty={dirty} onClose={onClose} title={question}>
      <Form {...props} onDirty={setDirty} />
    </FormDialog>
  );
}

type FormProps = ReasonDialogProps & { onDirty: (dirty: boolean) => void };

function Form({ confirm, danger = false, children, onDirty, onConfirm, onClose }: FormProps) {
  const [reason, setReason] = useState('');
  useTellDirty(onDirty, reason !== '');
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
