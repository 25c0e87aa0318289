/** Loads Scalar from this origin and shows the OpenAPI document with it. */

interface Scalar {
  createApiReference: (place: HTMLElement, configuration: object) => void
}

/** Nothing that sends data to others: no fonts, proxy, telemetry, assistant or remote client. */
const CONFIGURATION = {
  url: '/docs/openapi.json',
  // Requests go to the origin of this page, because the policy permits no other.
  servers: [{ url: location.origin }],
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  // The system decides between light and dark, as on our other pages.
  hideDarkModeToggle: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // Tokens stay in memory and are gone with the page.
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'tenant' },
  // The document has samples of its own.
  hiddenClients: true,
  documentDownloadType: 'none',
} as const

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${url} was not loaded`)))
    document.head.append(script)
  })
}

/** Shows the reference in an element. @throws Error when the script of Scalar cannot be loaded */
export async function showReference(place: HTMLElement): Promise<void> {
  await loadScript(REFERENCE_SCRIPT)
  const { Scalar } = window as unknown as { Scalar: Scalar }
  Scalar.createApiReference(place, CONFIGURATION)
}
