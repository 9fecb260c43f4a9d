import { Button, Textarea } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { Failure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';
import { useDialogAction } from './use-dialog-action.ts';
import type { Switches } from './use-switches.ts';

type ReasonDialogProps = {
  opened: boolean;
  question: string;
  confirm: string;
  danger?: boolean;
  children: ReactNode;
  switches: Switches;
  /** Resolves to why it failed; null closes the dialog. */
  onConfirm: (reason: string) => Promise<Failure | null>;
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

function Form({ confirm, danger = false, children, onDirty, onConfirm, ...dialog }: FormProps) {
  const [reason, setReason] = useState('');
  useTellDirty(onDirty, reason !== '');
  const [missing, setMissing] = useState(false);
  const { busy, failure, start } = useDialogAction(() => onConfirm(reason.trim()), dialog);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') start();
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
        error={missing ? 'Bitte nennen Sie einen Grund.' : undefined}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <ErrorNotice failure={failure} />
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={dialog.onClose}>
          Abbrechen
        </Button>
        <Button type="submit" color={danger ? 'red.9' : undefined} loading={busy}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}
