/// <reference types="vite/client" />

/** An icon of the Tabler set by its name, e.g. 'virtual:icons/chevron-down' (scripts/bundle/icons.ts). */
declare module 'virtual:icons/*' {
  const Icon: import('./ui/icons/icon.tsx').IconComponent;
  export default Icon;
}
