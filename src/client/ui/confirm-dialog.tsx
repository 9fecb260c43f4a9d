import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOnce } from './use-once.ts';

type ConfirmDialogProps = {
  opened: boolean;
  /** A full question: „Ausgewählte Regel wirklich löschen?“ */
  question: string;
  /** What is affected and what follows. */
  children?: ReactNode;
  /** The verb of the question: „Löschen“. */
  confirm: string;
  danger?: boolean;
  /** The id of the element inside that says why this cannot be confirmed. */
  refusedBy?: string | undefined;
  /** May be asynchronous; the button waits for it. The caller closes the dialog, so that it stays open after a failure. */
  onConfirm: () => void | Promise<void>;
  onClose: () => void;
};

/** Asks before something that is hard to undo. The harmless answer has the focus, and Escape gives it, too. */
export function ConfirmDialog({
  opened,
  question,
  children,
  confirm,
  danger = false,
  refusedBy,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { busy, start } = useOnce(async () => {
    await onConfirm();
  });
  return (
    <Modal opened={opened} onClose={onClose} title={<span className="k-strong">{question}</span>}>
      <div className="k-stack">
        {children !== undefined && <div>{children}</div>}
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          {/* Closing the question would not stop what was confirmed. */}
          <Button variant="default" disabled={busy} onClick={onClose} data-autofocus>
            Abbrechen
          </Button>
          <Button
            color={danger ? 'red.9' : undefined}
            loading={busy}
            disabled={refusedBy !== undefined}
            aria-describedby={refusedBy}
            onClick={start}
          >
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
