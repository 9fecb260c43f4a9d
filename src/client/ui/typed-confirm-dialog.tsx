import { Button, Modal, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import { useOnce } from './use-once.ts';

type TypedConfirmDialogProps = {
  /** A full question: „Katalog wirklich löschen?“ */
  question: string;
  children?: ReactNode;
  /** Text to be typed: the name of the thing to delete. */
  name: string;
  /** The verb of the question: „Löschen“. */
  confirm: string;
  /** The caller closes the dialog, so that it stays open after a failure. */
  onConfirm: (typed: string) => Promise<void>;
  onClose: () => void;
};

/** Asks before something large is deleted: typing its name proves that the user has read what it is. */
export function TypedConfirmDialog({ question, children, name, confirm, onConfirm, onClose }: TypedConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  useFocusBack();
  const { busy, start } = useOnce(() => onConfirm(typed));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    start();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <span className="k-strong" style={{ overflowWrap: 'anywhere', lineHeight: 1.4 }}>
          {question}
        </span>
      }
    >
      <form className="k-stack" onSubmit={submit}>
        {children !== undefined && <div>{children}</div>}
        <TextInput
          label="Geben Sie zur Bestätigung den Namen ein"
          description={<strong style={{ overflowWrap: 'anywhere' }}>{name}</strong>}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" color="red.9" loading={busy} disabled={typed.trim() !== name.trim()}>
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
