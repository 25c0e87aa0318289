/** Variables of the process that serves the keys of a PKCS #11 token to the worker beside it. */
import { list, port, text, withDefault } from './declare.ts'

const notes = { readBy: ['pkcs11'], requiredBy: ['pkcs11'] } as const

export const PKCS11_VARIABLES = {
  PKCS11_MODULE: text('existing-path', {
    summary: 'PKCS #11 library of the hardware security module',
    about: '[How to sign with a hardware security module](../how-to/sign-with-pkcs11.md)',
    ...notes,
  }),
  PKCS11_TOKEN: text('text', { summary: 'label of the token with the keys', ...notes }),
  PKCS11_PIN_FILE: text('path', {
    summary: "file with the PIN of the token's user",
    about: 'A PIN that the token refused is not tried again',
    ...notes,
  }),
  PKCS11_KEYS: list('transit-key', {
    summary: 'labels of the keys that the worker may use',
    ...notes,
  }),
  PKCS11_PORT: withDefault(
    port({ summary: 'TCP port on the loopback address', readBy: ['pkcs11'] }),
    8200,
  ),
}
