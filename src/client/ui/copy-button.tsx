import { ActionIcon, CopyButton as Copying } from '@mantine/core';
import IconCheck from 'virtual:icons/check';
import IconCopy from 'virtual:icons/copy';

type CopyButtonProps = { value: string; label: string; onCopied?: () => void };

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ value, label, onCopied }: CopyButtonProps) {
  return (
    <Copying value={value} timeout={2000}>
      {({ copied, copy }) => (
        <>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={label}
            title={label}
            onClick={() => {
              copy();
              onCopied?.();
            }}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
          <span className="k-hidden" role="status">
            {copied ? 'Kopiert' : ''}
          </span>
        </>
      )}
    </Copying>
  );
}
