import { Button, Modal, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

type SecretDialogProps = {
  title: string;
  secret: string;
  onClose: () => void;
  /** What it is used for. */ children: ReactNode;
};

/** A secret that is shown once. A click beside the dialog must not throw it away: it cannot be shown again. */
export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps) {
  useFocusBack();
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={<span className="k-strong">{title}</span>}>
      <div className="k-stack">
        <p>Kopieren Sie das Geheimnis jetzt. Es wird nur dieses eine Mal gezeigt.</p>
        <div className="k-row" style={{ flexWrap: 'nowrap', alignItems: 'flex-end' }}>
          <TextInput
            label="Geheimnis"
            readOnly
            value={secret}
            style={{ flex: 1, minWidth: 0 }}
            data-autofocus
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton value={secret} label="Geheimnis kopieren" />
        </div>
        <p className="k-muted k-small">{children}</p>
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Fertig
        </Button>
      </div>
    </Modal>
  );
}
