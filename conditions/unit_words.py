"""How quantities are written in five languages: words and symbols after a number.

Made by `tests/support/unit_words.py` from Unicode's CLDR; not written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["MADE_WITH", "UNIT_WORDS"]

MADE_WITH: Final = "Babel 2.19.0"

# fmt: off
UNIT_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "angle": (
        "deg", "degree", "degrees", "grad", "grado", "grados", "rad", "radian", "radianes",
        "radians", "radiant", "radián", "°", "ラジアン", "度", "도", "라디안",
    ),
    "area": (
        "ac", "acre", "acres", "centímetro cuadrado", "centímetros cuadrados", "cm2", "ft2", "ha",
        "hectare", "hectares", "hectárea", "hectáreas", "hektar", "in2", "kilómetro cuadrado",
        "kilómetros cuadrados", "km2", "m2", "metro cuadrado", "metros cuadrados", "pie cuadrado",
        "pies cuadrados", "pulgada cuadrada", "pulgadas cuadradas", "quadratfuss",
        "quadratkilometer", "quadratmeter", "quadratzentimeter", "quadratzoll", "sq ft",
        "square centimeter", "square centimeters", "square feet", "square foot", "square inch",
        "square inches", "square kilometer", "square kilometers", "square meter", "square meters",
        "エーカー", "ヘクタール", "平方インチ", "平方キロメートル", "平方センチメートル",
        "平方フィート", "平方メートル", "에이커", "제곱미터", "제곱센티미터", "제곱인치",
        "제곱킬로미터", "제곱피트", "헥타르",
    ),
    "data": (
        "b", "byte", "bytes", "gb", "gigabyte", "gigabytes", "kb", "kilobyte", "kilobytes", "mb",
        "megabyte", "megabytes", "tb", "terabyte", "terabytes", "キロバイト", "ギガバイト",
        "テラバイト", "バイト", "メガバイト", "기가바이트", "메가바이트", "바이트", "킬로바이트",
        "테라바이트",
    ),
    "duration": (
        "año", "años", "d", "day", "days", "día", "días", "h", "hora", "horas", "hour", "hours",
        "hr", "j", "jahr", "jahre", "m", "mes", "meses", "milisegundo", "milisegundos",
        "millisecond", "milliseconds", "millisekunde", "millisekunden", "min", "minute", "minuten",
        "minutes", "minuto", "minutos", "mon", "monat", "monate", "month", "months", "ms", "mth",
        "mths", "s", "sec", "second", "seconds", "segundo", "segundos", "sek", "sekunde",
        "sekunden", "sem", "semana", "semanas", "std", "stunde", "stunden", "tag", "tage", "tg",
        "week", "weeks", "wk", "wks", "wo", "woche", "wochen", "year", "years", "yr", "yrs",
        "か月", "ミリ秒", "分", "時間", "秒", "週間", "개월", "밀리초", "분", "시간", "주", "초",
    ),
    "electric current": (
        "ampere", "amperes", "amperio", "amperios", "ma", "miliamperio", "miliamperios",
        "milliampere", "milliamperes", "アンペア", "ミリアンペア", "밀리암페어", "암페어",
    ),
    "energy": (
        "british thermal unit", "british thermal units", "btu", "cal", "calorie", "calories",
        "caloría", "calorías", "j", "joule", "joules", "julio", "julios", "kalorie", "kalorien",
        "kcal", "kilocalorie", "kilocalories", "kilocaloría", "kilocalorías", "kilojoule",
        "kilojoules", "kilojulio", "kilojulios", "kilokalorie", "kilokalorien", "kilovatio hora",
        "kilovatios hora", "kilowatt hour", "kilowatt-hours", "kilowattstunde", "kilowattstunden",
        "kj", "kwh", "unidad térmica británica", "unidades térmicas británicas", "カロリー",
        "キロカロリー", "キロジュール", "キロワット時", "ジュール", "英熱量", "영국 열량 단위",
        "줄", "칼로리", "킬로와트시", "킬로줄", "킬로칼로리",
    ),
    "frequency": (
        "ghz", "gigahercio", "gigahercios", "gigahertz", "hercio", "hercios", "hertz", "hz", "khz",
        "kilohercio", "kilohercios", "kilohertz", "megahercio", "megahercios", "megahertz", "mhz",
        "キロヘルツ", "ギガヘルツ", "ヘルツ", "メガヘルツ", "기가헤르츠", "메가헤르츠",
        "킬로헤르츠", "헤르츠",
    ),
    "illuminance": (
        "lux", "luxes", "lx", "ルクス", "룩스",
    ),
    "length": (
        "centimeter", "centimeters", "centímetro", "centímetros", "cm", "feet", "foot", "ft",
        "fuss", "inch", "inches", "kilometer", "kilometers", "kilómetro", "kilómetros", "km", "m",
        "meile", "meilen", "meter", "meters", "metro", "metros", "mi", "mile", "miles", "milla",
        "milla náutica", "millas", "millas náuticas", "millimeter", "millimeters", "milímetro",
        "milímetros", "mm", "nautical mile", "nautical miles", "nmi", "pie", "pies", "pulgada",
        "pulgadas", "seemeile", "seemeilen", "sm", "yard", "yarda", "yardas", "yards", "yd",
        "zentimeter", "zoll", "インチ", "キロメートル", "センチメートル", "フィート", "マイル",
        "ミリメートル", "メートル", "ヤード", "海里", "마일", "미터", "밀리미터", "센티미터",
        "야드", "인치", "킬로미터", "피트", "해리",
    ),
    "mass": (
        "g", "gram", "gramm", "gramo", "gramos", "grams", "kg", "kilogram", "kilogramm",
        "kilogramo", "kilogramos", "kilograms", "lb", "libra", "libras", "metric ton",
        "metric tons", "mg", "microgram", "microgramo", "microgramos", "micrograms", "mikrogramm",
        "miligramo", "miligramos", "milligram", "milligramm", "milligrams", "onza", "onzas",
        "ounce", "ounces", "oz", "pfund", "pound", "pounds", "t", "tonelada", "toneladas", "tonne",
        "tonnen", "unze", "unzen", "μg", "オンス", "キログラム", "グラム", "トン", "ポンド",
        "マイクログラム", "ミリグラム", "그램", "마이크로그램", "메트릭 톤", "밀리그램", "온스",
        "킬로그램", "파운드",
    ),
    "power": (
        "caballo de vapor", "caballos de vapor", "cv", "horsepower", "hp", "kilovatio",
        "kilovatios", "kilowatt", "kilowatts", "kw", "megavatio", "megavatios", "megawatt",
        "megawatts", "milivatio", "milivatios", "milliwatt", "milliwatts", "mw", "pferdestärke",
        "pferdestärken", "ps", "vatio", "vatios", "w", "watt", "watts", "キロワット", "ミリワット",
        "メガワット", "ワット", "馬力", "마력", "메가와트", "밀리와트", "와트", "킬로와트",
    ),
    "pressure": (
        "bar", "bares", "bars", "hectopascal", "hectopascales", "hectopascals", "hektopascal",
        "hpa", "kilopascal", "kilopascales", "kilopascals", "kpa", "libra por pulgada cuadrada",
        "libras por pulgada cuadrada", "mb", "mbar", "megapascal", "megapascales", "megapascals",
        "milibar", "milibares", "millibar", "millibars", "millimeter of mercury",
        "millimeter quecksilbersäule", "millimeters of mercury", "milímetro de mercurio",
        "milímetros de mercurio", "mm hg", "mmhg", "mpa", "pa", "pascal", "pascales", "pascals",
        "pfund pro quadratzoll", "pound-force per square inch", "pounds-force per square inch",
        "psi", "キロパスカル", "バール", "パスカル", "ヘクトパスカル", "ミリバール",
        "メガパスカル", "水銀柱ミリメートル", "重量ポンド毎平方インチ", "메가파스칼", "밀리바",
        "바", "수은주밀리미터", "제곱인치당 파운드", "킬로파스칼", "파스칼", "헥토파스칼",
    ),
    "ratio": (
        "%", "percent", "permille", "por ciento", "por mil", "promille", "prozent", "‰",
        "パーセント", "パーミル",
    ),
    "speed": (
        "kilometer per hour", "kilometer pro stunde", "kilometers per hour", "kilómetro por hora",
        "kilómetros por hora", "km/h", "kn", "knot", "knoten", "knots", "m/s", "meile pro stunde",
        "meilen pro stunde", "meter per second", "meter pro sekunde", "meters per second",
        "metro por segundo", "metros por segundo", "mi/h", "mile per hour", "miles per hour",
        "milla por hora", "millas por hora", "mph", "nudo", "nudos", "ノット", "노트",
    ),
    "temperature": (
        "deg", "degree", "degree celsius", "degree fahrenheit", "degree temperature", "degrees",
        "degrees celsius", "degrees fahrenheit", "degrees temperature", "grad", "grad celsius",
        "grad fahrenheit", "grado", "grado celsius", "grado fahrenheit", "grados",
        "grados celsius", "grados fahrenheit", "kelvin", "kelvins", "°", "°c", "°f", "ケルビン",
        "度", "도", "켈빈",
    ),
    "voltage": (
        "v", "volt", "voltio", "voltios", "volts", "ボルト", "볼트",
    ),
    "volume": (
        "centiliter", "centiliters", "centilitro", "centilitros", "centímetro cúbico",
        "centímetros cúbicos", "cl", "cm3", "cubic centimeter", "cubic centimeters", "cubic feet",
        "cubic foot", "cubic meter", "cubic meters", "ft3", "gal", "gallon", "gallone", "gallonen",
        "gallons", "galones", "galón", "hectoliter", "hectoliters", "hectolitro", "hectolitros",
        "hektoliter", "hl", "kubikfuss", "kubikmeter", "kubikzentimeter", "l", "liter", "liters",
        "litro", "litros", "m3", "metro cúbico", "metros cúbicos", "mililitro", "mililitros",
        "milliliter", "milliliters", "ml", "pie cúbico", "pies cúbicos", "zentiliter", "ガロン",
        "センチリットル", "ヘクトリットル", "ミリリットル", "リットル", "立方センチメートル",
        "立方フィート", "立方メートル", "갤런", "리터", "밀리리터", "세제곱미터", "세제곱센티미터",
        "세제곱피트", "센티리터", "헥토리터",
    ),
}
"""Normalised words and symbols by what their units measure; a few measure several things."""
