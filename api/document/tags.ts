/** Groups of operations in the OpenAPI document, in the order of the work. */

/** A group, and the ids of its operations in the order of the work. */
export interface Group {
  name: string
  description: string
  operationIds: readonly string[]
}

export const GROUPS: readonly Group[] = [
  {
    name: 'Create and upload',
    description: 'A tenant creates a case for one PDF and its participants, and uploads the PDF.',
    operationIds: ['createCase', 'renewUpload'],
  },
  {
    name: 'Sign',
    description: 'A participant reads the document, passes the code check, signs and downloads.',
    operationIds: [
      'getBranding',
      'getCaseDefinition',
      'sendCode',
      'verifyCode',
      'sign',
      'decline',
      'getSignedDocument',
    ],
  },
  {
    name: 'Wait and download',
    description:
      'A tenant follows its cases, downloads documents, invites participants again, and cancels ' +
      'cases.',
    operationIds: ['getCase', 'listCases', 'listEvents', 'inviteAgain', 'cancelCase', 'graphql'],
  },
  {
    name: 'Verify',
    description: 'Anyone verifies a signed PDF, without authorization.',
    operationIds: ['uploadForVerification', 'verify', 'authorities'],
  },
  {
    name: 'Webhooks',
    description: 'The service notifies a tenant of changes. These operations show the deliveries.',
    operationIds: ['listDeliveries', 'redeliver', 'listWebhookEvents'],
  },
  {
    name: 'Kiosk',
    description: 'A tenant registers kiosks and hands cases to them for signing in person.',
    operationIds: [
      'registerDevice',
      'createPairingCode',
      'listDevices',
      'removeDevice',
      'openOnDevice',
      'pairKiosk',
      'deviceEvents',
    ],
  },
  {
    name: 'Operate',
    description: 'Probes for operators of the service.',
    operationIds: ['health', 'readiness'],
  },
]
