import { Button, Textarea } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { Failure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';
import { useOnce } from '#client/ui/use-once.ts';

type ReasonDialogProps = {
  opened: boolean;
  question: string;
  confirm: string;
  danger?: boolean;
  children: ReactNode;
  /** Resolves to why it failed, which the dialog shows; null closes it. */
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

function Form({ confirm, danger = false, children, onDirty, onConfirm, onClose }: FormProps) {
  const [reason, setReason] = useState('');
  useTellDirty(onDirty, reason !== '');
  const [missing, setMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { busy, start } = useOnce(async () => {
    const problem = await onConfirm(reason.trim());
    setFailure(problem);
    if (problem === null) onClose();
  });
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
