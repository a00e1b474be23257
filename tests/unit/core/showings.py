"""Long sessions in which a user shows pictures and a tool brings some, in every format."""

import json
from typing import Any

from unit.wire.pictures import b64, data_url, pdf, png, wav

FORMATS = ("openai-chat", "anthropic", "openai-responses", "gemini", "ollama")
#: A tool whose results are never stubbed, so that the pictures in them are the next tier's affair.
TOOL = "plan_canvas"
Row = dict[str, Any]


def shown(format: str, number: int) -> list[Row]:
    """What a user shows in one message: each kind of part that the format has."""
    picture = png(1_200 + number, 1_000)
    match format:
        case "openai-chat":
            return [
                {"type": "image_url", "image_url": {"url": data_url(picture), "detail": "high"}},
                {
                    "type": "file",
                    "file": {"filename": f"r{number}.pdf", "file_data": data_url(pdf(2), "application/pdf")},
                },
                {"type": "input_audio", "input_audio": {"data": b64(wav(20)), "format": "wav"}},
            ]
        case "anthropic":
            return [
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b64(picture)}},
                {
                    "type": "document",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": b64(pdf(2))},
                },
                {
                    "type": "document",
                    "title": f"n{number}",
                    "source": {"type": "text", "data": f"note {number} " * 90},
                },
                {
                    "type": "search_result",
                    "source": f"https://x.example/{number}",
                    "title": f"found {number}",
                    "content": [{"type": "text", "text": f"about {number} " * 80}],
                },
                {"type": "image", "source": {"type": "url", "url": f"https://x.example/{number}.png"}},
            ]
        case "openai-responses":
            return [
                {"type": "input_image", "image_url": data_url(picture)},
                {"type": "input_image", "file_id": f"file_{number}"},
                {"type": "input_file", "filename": "r.pdf", "file_data": data_url(pdf(2), "application/pdf")},
            ]
        case _:  # gemini
            return [
                {"inlineData": {"mimeType": "image/png", "data": b64(picture)}},
                {"inline_data": {"mime_type": "application/pdf", "data": b64(pdf(2))}},
                {"fileData": {"mimeType": "video/mp4", "fileUri": f"https://x.example/{number}"}},
            ]


def turn(format: str, number: int) -> list[Row]:
    """A user's message with media, a call whose result has an image, and what the model says of it."""
    ask, said, note = f"Look at number {number}.", f"I saw number {number}.", f"canvas {number}"
    picture, media = png(900, 700 + number), [] if format == "ollama" else shown(format, number)
    match format:
        case "openai-chat":
            call = {"id": f"c{number}", "type": "function", "function": {"name": TOOL, "arguments": "{}"}}
            inside = [{"type": "text", "text": note}, {"type": "image_url", "image_url": {"url": data_url(picture)}}]
            return [
                {"role": "user", "content": [{"type": "text", "text": ask}, *media]},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": f"c{number}", "content": inside},
                {"role": "assistant", "content": said},
            ]
        case "anthropic":
            source = {"type": "base64", "media_type": "image/png", "data": b64(picture)}
            inside = [{"type": "text", "text": note}, {"type": "image", "source": source}]
            use = {"type": "tool_use", "id": f"c{number}", "name": TOOL, "input": {}}
            result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": inside}
            return [
                {"role": "user", "content": [{"type": "text", "text": ask}, *media]},
                {"role": "assistant", "content": [use]},
                {"role": "user", "content": [result]},
                {"role": "assistant", "content": [{"type": "text", "text": said}]},
            ]
        case "openai-responses":
            inside = [{"type": "input_text", "text": note}, {"type": "input_image", "image_url": data_url(picture)}]
            return [
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": ask}, *media]},
                {"type": "function_call", "call_id": f"c{number}", "name": TOOL, "arguments": "{}"},
                {"type": "function_call_output", "call_id": f"c{number}", "output": inside},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]},
            ]
        case "gemini":
            inside = [{"inlineData": {"mimeType": "image/png", "data": b64(picture)}}]
            answer = {"name": TOOL, "response": {"output": note}, "parts": inside}
            return [
                {"role": "user", "parts": [{"text": ask}, *media]},
                {"role": "model", "parts": [{"functionCall": {"name": TOOL, "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": answer}]},
                {"role": "model", "parts": [{"text": said}]},
            ]
        case _:
            return [
                {"role": "user", "content": ask, "images": [b64(png(1_200, 1_000)), b64(png(1_100, 900))]},
                {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": TOOL, "arguments": {}}}]},
                {"role": "tool", "tool_name": TOOL, "content": note, "images": [b64(picture)]},
                {"role": "assistant", "content": said},
            ]


def session(format: str, turns: int = 12) -> list[Row]:
    """Turns in a row, as fresh objects."""
    return json.loads(json.dumps([row for number in range(turns) for row in turn(format, number)]))
