import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ConfirmationRequest } from '#client/call.ts';
import { ProofDialog } from './proof-dialog.tsx';

type AskedBackProps = { asked: ConfirmationRequest | null; onAnswer: (given: boolean) => void };

/** The dialog for a confirmation that the server demands. */
export function AskedBackDialog({ asked, onAnswer }: AskedBackProps) {
  return (
    <>
      <ProofDialog opened={asked?.code === 'step_up_required'} onAnswer={onAnswer} />
      <LimitsDialog message={asked?.code === 'limits_confirm' ? asked.message : null} onAnswer={onAnswer} />
    </>
  );
}

/** T26: says which prices move, in the server's words. */
function LimitsDialog({ message, onAnswer }: { message: string | null; onAnswer: (given: boolean) => void }) {
  // Keeps the text during the closing transition.
  const [last, setLast] = useState(message);
  if (message !== null && message !== last) setLast(message);
  return (
    <Modal
      opened={message !== null}
      onClose={() => onAnswer(false)}
      closeOnEscape={false}
      zIndex={400}
      title={<span className="k-strong">Preisgrenzen vieler Angebote ändern?</span>}
    >
      <div className="k-stack">
        <p>{last}</p>
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" data-autofocus onClick={() => onAnswer(false)}>
            Abbrechen
          </Button>
          <Button color="red.9" onClick={() => onAnswer(true)}>
            Grenzen ändern
          </Button>
        </div>
      </div>
    </Modal>
  );
}
