/** Runs a developer command as a process of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'

const TOOLS = join(import.meta.dirname, '..', '..', 'tools')
const LIMIT_MS = 120_000

export interface ToolResult {
  code: number | null
  stdout: string
  stderr: string
}

/** @param tool file in `tools/` */
export async function runTool(
  tool: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<ToolResult> {
  const { cwd = process.cwd(), env = {} } = options
  const child = spawn(process.execPath, [join(TOOLS, tool), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
