import { Button, Modal } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import classes from './account.module.css';

/** Recovery codes, shown once. A click outside must not close the dialog. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  useFocusBack();
  const text = `${codes.join('\n')}\n`;
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Wiederherstellungscodes für Kontor\n\n${text}`)}`;
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={<span className="k-strong">Ihre Wiederherstellungscodes</span>}
    >
      <div className="k-stack">
        <p>
          Mit jedem dieser Codes kommen Sie einmal in Ihr Konto, wenn Sie Ihr Gerät nicht haben. Sie werden nur dieses
          eine Mal gezeigt. Bewahren Sie sie getrennt vom Passwort auf.
        </p>
        <ul className={classes.codes} aria-label="Wiederherstellungscodes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <CopyButton value={text} label="Codes kopieren" />
          <Button
            component="a"
            href={file}
            download="kontor-wiederherstellungscodes.txt"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Herunterladen
          </Button>
          <Button onClick={onClose} data-autofocus>
            Ich habe sie aufbewahrt
          </Button>
        </div>
      </div>
    </Modal>
  );
}
