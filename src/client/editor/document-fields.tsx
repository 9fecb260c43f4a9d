import { type ReactNode, useMemo, useRef } from 'react';
import { FieldsPlaceContext, fieldsMark } from '#client/ui/form/unread-field.ts';

type DocumentFieldsProps = { editor: { discards: number }; children: ReactNode };

/** Around the fields of a document and its save. It takes no part in the layout. */
export function DocumentFields({ editor: { discards }, children }: DocumentFieldsProps) {
  const element = useRef<HTMLDivElement>(null);
  const place = useMemo(() => ({ element, discards }), [discards]);
  return (
    <FieldsPlaceContext value={place}>
      <div ref={element} {...{ [fieldsMark]: '' }} style={{ display: 'contents' }}>
        {children}
      </div>
    </FieldsPlaceContext>
  );
}
